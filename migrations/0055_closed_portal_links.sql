-- A link to a partner's webhook pages that was closed before its hour was over.
CREATE TABLE "partners"."closed_portal_link" (
	"id" "bytea" PRIMARY KEY NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);

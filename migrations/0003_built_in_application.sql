-- The application whose subjects are the customers: a PayTag is a tag that a subject of it owns.
-- Its id is `payTagApplicationId` of src/modules/applications.
insert into applications.application (id, name, namespace, status, built_in)
values ('7a79a6f0-0000-4000-8000-000000000001', 'PayTag', 'paytag', 'ACTIVE', true);

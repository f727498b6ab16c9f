-- Comparisons with one provider are walked along, the last one first.
CREATE INDEX "comparison_provider" ON "rail_comparisons"."comparison" USING btree ("provider","id");

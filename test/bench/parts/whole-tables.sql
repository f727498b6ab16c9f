-- Makes one table each of the four that are in parts, as if they had never been. On a database that holds nothing in them yet.
create procedure pg_temp.make_whole(p_table regclass) language plpgsql set check_function_bodies = off as $$
declare
  v_space constant text := (select nspname from pg_namespace n join pg_class c on c.relnamespace = n.oid where c.oid = p_table);
  v_name constant text := (select relname from pg_class where oid = p_table);
  v_part constant regclass := (select max(inhrelid::regclass::text) from pg_inherits where inhparent = p_table);
  -- Foreign keys.
  v_of_part constant text[] := array(select format('add %s', pg_get_constraintdef(oid)) from pg_constraint
    where contype = 'f' and conrelid = v_part and conparentid = 0);
  v_of_table constant text[] := array(select format('add %s', pg_get_constraintdef(oid)) from pg_constraint
    where contype = 'f' and conrelid = p_table and conparentid = 0);
  v_referring constant text[] := array(select format('alter table %s add %s', conrelid::regclass, pg_get_constraintdef(oid)) from pg_constraint
    where contype = 'f' and confrelid = p_table and conparentid = 0);
  v_triggers constant text[] := array(select pg_get_triggerdef(oid) from pg_trigger where tgrelid = p_table and not tgisinternal);
  -- What is given or gives a row of the table is bound to its type, not to its name.
  v_functions constant text[] := array(select pg_get_functiondef(f.oid) from pg_proc f join pg_type t on t.typrelid = p_table
    where array[t.oid, t.typarray] && (f.proargtypes::oid[] || f.prorettype || coalesce(f.proallargtypes, '{}')));
  v_statement text;
begin
  execute format('create table %I.whole (like %s including all)%s', v_space, v_part,
    (select ' with (' || array_to_string(reloptions, ', ') || ')' from pg_class where oid = v_part));
  execute format('alter table %s rename to %I', p_table, v_name || '_in_parts');
  execute format('alter table %I.whole rename to %I', v_space, v_name);
  execute format('drop table %I.%I cascade', v_space, v_name || '_in_parts');
  foreach v_statement in array v_functions loop execute v_statement; end loop;
  foreach v_statement in array v_of_part || v_of_table loop execute format('alter table %I.%I %s', v_space, v_name, v_statement); end loop;
  foreach v_statement in array v_triggers loop execute v_statement; end loop;
  foreach v_statement in array v_referring loop execute v_statement; end loop;
end $$;

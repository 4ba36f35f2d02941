-- Writes what triggers derive, for the rows of an earlier release. A new database has none.

insert into developer_names (developer_id, field, name)
select d.id, given.field, given.name
from developers d, lateral (values ('name', d.name), ('companyName', d.company_name)) given (field, name)
where given.name <> ''
on conflict (developer_id, field) do nothing;

select rebuild_catalog() where exists (select from apps);

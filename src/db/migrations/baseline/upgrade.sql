-- Brings a database of release 0.2.0 to a state from which the other files create what is missing. It can be repeated, and
-- it does nothing to a new database. Gateways and workers of 0.2.0 must be stopped before.

create extension if not exists pg_trgm;

do $$
begin
  if to_regclass('developers') is null then
    return;
  end if;
  -- With their triggers and views.
  drop function if exists document_new_apps(), document_app(), document_apps(uuid[]), document_developer(),
    document_new_apps_for_owners(), document_app_for_owner(), document_for_owners(uuid[]), rejection_document(jsonb),
    developer_document(developers), json_text(text), json_time(timestamptz), lock_frequent_words(),
    count_words_of_new_rows(), count_words_of_row(), forget_words(), level_app(), is_popular(integer),
    fitting_popular_level(integer), level_of_installs(integer), rebuild_catalog_lists(), figure_app(), name_app(),
    name_developer(), reflect_app(), reflect_new_apps(), reflect_developer(), announce_catalog(), announce_listing(),
    announce_listings_of_developer(), take_position_of_endpoint(), partition_audit_log(), audit_first_bound(),
    audit_month(integer) cascade;
  drop view if exists listed_texts, listed_words, listed_documents, computed_owner_documents, queued_submissions;
  -- Copies of apps and the texts of the search; rebuild_catalog() writes the texts again.
  drop table if exists app_documents, owner_documents, app_search, frequent_words, word_counts, popular_level;
  alter table api_keys drop constraint if exists api_keys_scopes_check1, drop constraint if exists api_keys_known_scopes,
    add constraint api_keys_known_scopes
      check (scopes <@ '{APP_CREATE,APP_READ,APP_UPDATE,APP_DELETE,ANALYTICS_READ,WEBHOOK_MANAGE}');
  alter table developers add column if not exists proven_email text;
  alter table app_names add column if not exists rule integer not null default 0;
  alter table webhook_endpoints alter column created_position set default nextval('audit_events_position');
  if to_regclass('kept_answers') is not null then
    alter table kept_answers rename to stored_responses;
    alter table stored_responses rename constraint kept_answers_pkey to stored_responses_pkey;
    alter table stored_responses rename constraint kept_answers_id_check to stored_responses_id_check;
    alter table stored_responses rename constraint kept_answers_body_hash_check to stored_responses_body_hash_check;
    alter table stored_responses rename constraint kept_answers_status_check to stored_responses_status_check;
    alter table stored_responses rename constraint kept_answers_check to stored_responses_check;
    alter index kept_answers_created_at rename to stored_responses_created_at;
    alter index kept_answers_developer rename to stored_responses_developer;
  end if;
  -- The baseline takes their place. A gateway of 0.2.0 that is started by mistake finds none of its migrations, tries to
  -- create its tables, and stops.
  delete from schema_migrations where name < '0100';
end $$;

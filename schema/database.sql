-- The schema of the database, written by `npm run schema`. The migrations in src/db/migrations create it.

-- The names of administrators, as their account tokens last said.
create table administrators (
  account_user_id text not null,
  name text not null,
  updated_at timestamp(3) with time zone not null,
  constraint administrators_pkey PRIMARY KEY (account_user_id)
);

-- API keys of developers; only the SHA-256 of a key is stored.
create table api_keys (
  id uuid not null,
  developer_id uuid not null,
  name text not null,
  scopes text[] not null,
  hash bytea not null,
  masked_key text not null,
  expires_at timestamp(3) with time zone not null,
  last_used_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  successor_id uuid,
  created_by_key_id uuid,
  app_id uuid,
  trusted_publisher_id uuid,
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_created_by_key_id_fkey FOREIGN KEY (created_by_key_id) REFERENCES api_keys(id),
  constraint api_keys_developer_id_fkey FOREIGN KEY (developer_id) REFERENCES developers(id),
  constraint api_keys_hash_key UNIQUE (hash),
  constraint api_keys_known_scopes CHECK ((scopes <@ '{APP_CREATE,APP_READ,APP_UPDATE,APP_DELETE,ANALYTICS_READ,WEBHOOK_MANAGE}'::text[])),
  constraint api_keys_scopes_check CHECK ((cardinality(scopes) > 0)),
  constraint api_keys_successor_id_fkey FOREIGN KEY (successor_id) REFERENCES api_keys(id),
  constraint api_keys_successor_id_key UNIQUE (successor_id)
) with (fillfactor=75);

CREATE INDEX api_keys_created_by ON public.api_keys USING btree (created_by_key_id) WHERE (created_by_key_id IS NOT NULL);

CREATE INDEX api_keys_developer ON public.api_keys USING btree (developer_id, created_at DESC, id DESC);

CREATE INDEX api_keys_ended ON public.api_keys USING btree (developer_id, COALESCE(revoked_at, expires_at) DESC);

CREATE INDEX api_keys_expires_at ON public.api_keys USING btree (expires_at) WHERE (revoked_at IS NULL);

-- The number of public apps by category, environment and featured.
create table app_counts (
  category text not null,
  environment text not null,
  featured boolean not null,
  shard integer not null,
  apps integer not null,
  constraint app_counts_pkey PRIMARY KEY (category, environment, featured, shard)
) with (fillfactor=60);

-- The number of installs of each app, with the columns by which lists by popularity are filtered: installs are frequent and rewrite only this narrow row.
create table app_figures (
  id uuid not null,
  install_count integer not null default 0,
  listed boolean not null,
  approved_at timestamp(3) with time zone,
  category text not null,
  environment text not null,
  featured boolean not null,
  constraint app_figures_pkey PRIMARY KEY (id) INCLUDE (install_count, approved_at),
  constraint app_figures_id_fkey FOREIGN KEY (id) REFERENCES apps(id) ON DELETE CASCADE,
  constraint app_figures_install_count_check CHECK ((install_count >= 0))
) with (autovacuum_analyze_scale_factor=0.05, autovacuum_vacuum_cost_delay=0, autovacuum_vacuum_scale_factor=0.002, vacuum_truncate=false);

CREATE INDEX app_figures_category ON public.app_figures USING btree (category, install_count DESC, approved_at DESC, id) INCLUDE (environment, featured) WHERE listed;

CREATE INDEX app_figures_environment ON public.app_figures USING btree (category, environment, install_count DESC, approved_at DESC, id) INCLUDE (featured) WHERE (listed AND (environment <> 'production'::text));

CREATE INDEX app_figures_featured ON public.app_figures USING btree (install_count DESC, approved_at DESC, id) INCLUDE (category, environment) WHERE (listed AND featured);

CREATE INDEX app_figures_popular ON public.app_figures USING btree (install_count DESC, approved_at DESC, id) INCLUDE (category, environment, featured) WHERE listed;

CREATE TRIGGER app_figures_announce_count AFTER UPDATE OF install_count ON app_figures FOR EACH STATEMENT EXECUTE FUNCTION announce_catalog('counts');

-- Names of public apps with their skeletons, by which look-alikes are found (D340), as in developer_names.
create table app_names (
  app_id uuid not null,
  name text not null,
  skeleton text,
  rule integer not null default 0,
  near text[],
  constraint app_names_pkey PRIMARY KEY (app_id),
  constraint app_names_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE
);

CREATE INDEX app_names_near ON public.app_names USING gin (near) WITH (fastupdate=off);

CREATE INDEX app_names_rule ON public.app_names USING btree (rule, app_id);

CREATE INDEX app_names_skeleton ON public.app_names USING btree (skeleton);

CREATE INDEX app_names_waiting ON public.app_names USING btree (app_id) WHERE (skeleton IS NULL);

-- Reports of apps by accounts, until an administrator closes them or takes the app down.
create table app_reports (
  id uuid not null,
  app_id uuid not null,
  account_user_id text not null,
  reason text not null,
  text text,
  closed_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint app_reports_pkey PRIMARY KEY (id),
  constraint app_reports_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE,
  constraint app_reports_once_per_account UNIQUE (app_id, account_user_id),
  constraint app_reports_reason_check CHECK ((reason = ANY (ARRAY['SPAM'::text, 'MISLEADING'::text, 'BROKEN'::text, 'HARMFUL'::text, 'COPY'::text, 'OTHER'::text])))
);

CREATE INDEX app_reports_closed ON public.app_reports USING btree (closed_at) WHERE (closed_at IS NOT NULL);

CREATE INDEX app_reports_open ON public.app_reports USING btree (created_at DESC, id DESC) WHERE (closed_at IS NULL);

-- The searched texts of public apps, apart from apps: a rating does not rewrite them.
create table app_search (
  app_id uuid not null,
  name text collate "C" not null,
  category text not null,
  environment text not null,
  featured boolean not null,
  developer_id uuid not null,
  headline tsvector not null,
  document tsvector not null,
  constraint app_search_pkey PRIMARY KEY (app_id),
  constraint app_search_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE
) with (toast_tuple_target=512);

CREATE INDEX app_search_document ON public.app_search USING gin (document) WITH (fastupdate=off);

CREATE INDEX app_search_name ON public.app_search USING btree (name) INCLUDE (app_id, category, environment, featured, developer_id);

CREATE INDEX app_search_name_words ON public.app_search USING gin (ts_filter(headline, '{a}'::"char"[])) WITH (fastupdate=off);

CREATE TRIGGER app_search_announce_truncate AFTER TRUNCATE ON app_search FOR EACH STATEMENT EXECUTE FUNCTION announce_catalog('listings');

-- New listings of approved apps, each reviewed before it replaces the public one.
create table app_versions (
  id uuid not null,
  app_id uuid not null,
  name text not null,
  description text not null,
  long_description text,
  category text not null,
  logo_url text,
  banner_url text,
  website_url text,
  oauth_client_id text,
  screenshots jsonb not null,
  status text not null,
  revision integer not null,
  submitted_at timestamp(3) with time zone,
  decided_at timestamp(3) with time zone,
  rejection jsonb,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  base_revision integer,
  base jsonb,
  conflict_bases jsonb not null default '{}'::jsonb,
  version_number text,
  release_notes text,
  constraint app_versions_pkey PRIMARY KEY (id),
  constraint app_versions_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id),
  constraint app_versions_base_revision_check CHECK ((base_revision >= 1)),
  constraint app_versions_category_check CHECK ((category = ANY (ARRAY['PRODUCTIVITY'::text, 'UTILITIES'::text, 'BUSINESS'::text, 'DEVELOPER_TOOLS'::text, 'COMMUNICATION'::text, 'ANALYTICS'::text, 'AI_ML'::text, 'FINANCE'::text, 'EDUCATION'::text, 'OTHER'::text]))),
  constraint app_versions_check CHECK (((status <> 'PENDING'::text) OR (submitted_at IS NOT NULL))),
  constraint app_versions_check1 CHECK (((status <> ALL (ARRAY['PENDING'::text, 'APPROVED'::text])) OR (jsonb_array_length(screenshots) >= 2))),
  constraint app_versions_check2 CHECK (((status <> 'REJECTED'::text) OR (rejection IS NOT NULL))),
  constraint app_versions_revision_check CHECK ((revision >= 1)),
  constraint app_versions_screenshots_check CHECK ((jsonb_array_length(screenshots) <= 6)),
  constraint app_versions_status_check CHECK ((status = ANY (ARRAY['DRAFT'::text, 'PENDING'::text, 'APPROVED'::text, 'REJECTED'::text, 'DISCARDED'::text])))
);

CREATE INDEX app_versions_app ON public.app_versions USING btree (app_id, created_at DESC, id DESC);

CREATE UNIQUE INDEX app_versions_one_open ON public.app_versions USING btree (app_id) WHERE (status = ANY (ARRAY['DRAFT'::text, 'PENDING'::text, 'REJECTED'::text]));

-- Apps in all statuses. An app that was public once is never deleted.
create table apps (
  id uuid not null,
  developer_id uuid not null,
  slug text not null,
  name text not null,
  description text not null,
  long_description text,
  category text not null,
  environment text not null,
  logo_url text,
  banner_url text,
  website_url text,
  oauth_client_id text,
  screenshots jsonb not null,
  status text not null,
  featured boolean not null,
  review_count integer not null,
  average_rating double precision not null,
  revision integer not null,
  submitted_at timestamp(3) with time zone,
  approved_at timestamp(3) with time zone,
  rejection jsonb,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  listed boolean not null default false,
  sort_name text not null default ''::text,
  rating_sum integer not null default 0,
  rating_counts integer[] not null default '{0,0,0,0,0}'::integer[],
  version_number text,
  release_notes text,
  constraint apps_pkey PRIMARY KEY (id),
  constraint apps_average_rating_check CHECK (((average_rating >= (0)::double precision) AND (average_rating <= (5)::double precision))),
  constraint apps_category_check CHECK ((category = ANY (ARRAY['PRODUCTIVITY'::text, 'UTILITIES'::text, 'BUSINESS'::text, 'DEVELOPER_TOOLS'::text, 'COMMUNICATION'::text, 'ANALYTICS'::text, 'AI_ML'::text, 'FINANCE'::text, 'EDUCATION'::text, 'OTHER'::text]))),
  constraint apps_check CHECK (((status = ANY (ARRAY['APPROVED'::text, 'SUSPENDED'::text])) = (approved_at IS NOT NULL))),
  constraint apps_check1 CHECK (((status = ANY (ARRAY['DRAFT'::text, 'REJECTED'::text])) OR (submitted_at IS NOT NULL))),
  constraint apps_check2 CHECK (((status = ANY (ARRAY['DRAFT'::text, 'REJECTED'::text])) OR (jsonb_array_length(screenshots) >= 2))),
  constraint apps_check3 CHECK (((status <> 'REJECTED'::text) OR (rejection IS NOT NULL))),
  constraint apps_developer_id_fkey FOREIGN KEY (developer_id) REFERENCES developers(id),
  constraint apps_environment_check CHECK ((environment = ANY (ARRAY['localhost'::text, 'staging'::text, 'production'::text]))),
  constraint apps_rating_counts_check CHECK (((cardinality(rating_counts) = 5) AND (0 <= ALL (rating_counts)))),
  constraint apps_rating_sum_check CHECK ((rating_sum >= 0)),
  constraint apps_review_count_check CHECK ((review_count >= 0)),
  constraint apps_revision_check CHECK ((revision >= 1)),
  constraint apps_screenshots_check CHECK ((jsonb_array_length(screenshots) <= 6)),
  constraint apps_slug_check CHECK (((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text) AND (length(slug) <= 60) AND (slug <> ALL (ARRAY['featured'::text, 'categories'::text, 'list'::text, 'install'::text])))),
  constraint apps_slug_key UNIQUE (slug),
  constraint apps_status_check CHECK ((status = ANY (ARRAY['DRAFT'::text, 'PENDING'::text, 'APPROVED'::text, 'REJECTED'::text, 'SUSPENDED'::text])))
) with (autovacuum_analyze_scale_factor=0.05, autovacuum_vacuum_scale_factor=0.02);

CREATE INDEX apps_created ON public.apps USING btree (created_at, id) INCLUDE (status, category, featured, sort_name);

CREATE INDEX apps_developer ON public.apps USING btree (developer_id, created_at DESC, id DESC);

CREATE INDEX apps_featured ON public.apps USING btree (created_at, id) WHERE featured;

CREATE INDEX apps_listed_name ON public.apps USING btree (sort_name, id) INCLUDE (category, environment, featured) WHERE listed;

CREATE INDEX apps_listed_newest ON public.apps USING btree (approved_at DESC, id) INCLUDE (category, environment, featured) WHERE listed;

CREATE INDEX apps_listed_rating ON public.apps USING btree (average_rating DESC, review_count DESC, id) INCLUDE (category, environment, featured) WHERE listed;

CREATE INDEX apps_name_trigrams ON public.apps USING gin (sort_name gin_trgm_ops);

CREATE INDEX apps_of_developer ON public.apps USING btree (developer_id) INCLUDE (id, category, environment, review_count, rating_sum) WHERE listed;

CREATE INDEX apps_other_name ON public.apps USING btree (category, environment, sort_name, id) INCLUDE (featured) WHERE (listed AND (environment <> 'production'::text));

CREATE INDEX apps_other_newest ON public.apps USING btree (category, environment, approved_at DESC, id) INCLUDE (featured) WHERE (listed AND (environment <> 'production'::text));

CREATE INDEX apps_other_rating ON public.apps USING btree (category, environment, average_rating DESC, review_count DESC, id) INCLUDE (featured) WHERE (listed AND (environment <> 'production'::text));

CREATE INDEX apps_queue ON public.apps USING btree (submitted_at, id) WHERE (status = 'PENDING'::text);

CREATE INDEX apps_status ON public.apps USING btree (status, created_at, id) INCLUDE (category, featured);

CREATE INDEX apps_updated ON public.apps USING btree (updated_at, id) INCLUDE (status, category, featured);

CREATE TRIGGER apps_announce AFTER INSERT OR DELETE OR UPDATE ON apps FOR EACH ROW EXECUTE FUNCTION announce_app();

CREATE TRIGGER apps_announce_truncate AFTER TRUNCATE ON apps FOR EACH STATEMENT EXECUTE FUNCTION announce_catalog('listings');

CREATE TRIGGER apps_index_changed AFTER UPDATE OF status, listed, developer_id, approved_at, name, description, long_description, category, environment, featured ON apps FOR EACH ROW EXECUTE FUNCTION index_changed_app();

CREATE TRIGGER apps_index_new AFTER INSERT ON apps REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION index_new_apps();

CREATE TRIGGER apps_keep_public BEFORE DELETE ON apps FOR EACH ROW WHEN (old.approved_at IS NOT NULL) EXECUTE FUNCTION refuse_deletion_of_public_app();

CREATE TRIGGER apps_list BEFORE INSERT OR UPDATE OF name, status, developer_id ON apps FOR EACH ROW EXECUTE FUNCTION list_app();

-- Results of fetching the pictures of a listing, for the revision that was submitted.
create table asset_checks (
  app_id uuid not null,
  revision integer not null,
  field text not null,
  url text not null,
  ok boolean not null,
  width integer,
  height integer,
  type text,
  bytes integer,
  sha256 text,
  problem jsonb,
  checked_at timestamp(3) with time zone not null,
  listing_id uuid not null,
  host text,
  constraint asset_checks_pkey PRIMARY KEY (listing_id, revision, field),
  constraint asset_checks_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE,
  constraint asset_checks_check CHECK ((ok = (problem IS NULL))),
  constraint asset_checks_revision_check CHECK ((revision >= 1)),
  constraint asset_checks_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text)),
  constraint asset_checks_type_check CHECK ((type = ANY (ARRAY['png'::text, 'jpg'::text])))
);

CREATE INDEX asset_checks_app ON public.asset_checks USING btree (app_id);

CREATE INDEX asset_checks_picture ON public.asset_checks USING btree (sha256, checked_at) WHERE ((sha256 IS NOT NULL) AND (field = ANY (ARRAY['logoUrl'::text, 'bannerUrl'::text])));

-- Every change and who made it, append-only, in partitions by month that retention drops (D282).
create table audit_events (
  id uuid not null,
  created_at timestamp(3) with time zone not null,
  kind text not null,
  actor_kind text not null,
  actor_account text,
  actor_key uuid,
  developer_id uuid,
  app_id uuid,
  before jsonb,
  after jsonb,
  data jsonb not null,
  request_id text not null,
  position bigint not null,
  constraint audit_events_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['developer'::text, 'administrator'::text, 'account'::text, 'anyone'::text, 'system'::text])))
) partition by RANGE (created_at);

CREATE INDEX audit_events_actor_account ON ONLY public.audit_events USING btree (actor_account, created_at, id) WHERE (actor_account IS NOT NULL);

CREATE INDEX audit_events_actor_key ON ONLY public.audit_events USING btree (actor_key, created_at, id) WHERE (actor_key IS NOT NULL);

CREATE INDEX audit_events_app ON ONLY public.audit_events USING btree (app_id, created_at, id) WHERE (app_id IS NOT NULL);

CREATE INDEX audit_events_created_at ON ONLY public.audit_events USING btree (created_at, id);

CREATE INDEX audit_events_developer ON ONLY public.audit_events USING btree (developer_id, created_at, id);

CREATE INDEX audit_events_email_changes ON ONLY public.audit_events USING btree (developer_id, created_at) WHERE (kind = 'developer.email-changed'::text);

CREATE INDEX audit_events_feed ON ONLY public.audit_events USING btree (developer_id, "position");

CREATE INDEX audit_events_former_key ON ONLY public.audit_events USING btree (((data ->> 'formerKeyId'::text)), created_at, id) WHERE ((data ->> 'formerKeyId'::text) IS NOT NULL);

CREATE INDEX audit_events_key ON ONLY public.audit_events USING btree (((data ->> 'keyId'::text)), created_at, id) WHERE ((data ->> 'keyId'::text) IS NOT NULL);

CREATE INDEX audit_events_kind ON ONLY public.audit_events USING btree (kind, created_at, id) WHERE (kind IS NOT NULL);

CREATE INDEX audit_events_ratings ON ONLY public.audit_events USING btree (app_id, actor_account, created_at) WHERE (kind = ANY (ARRAY['rating.created'::text, 'rating.updated'::text]));

CREATE INDEX audit_events_request ON ONLY public.audit_events USING btree (request_id, created_at, id) WHERE (request_id IS NOT NULL);

CREATE INDEX audit_events_timeline ON ONLY public.audit_events USING btree (app_id, created_at, id) WHERE ((app_id IS NOT NULL) AND (actor_kind <> 'account'::text));

CREATE TRIGGER audit_events_announce AFTER INSERT ON audit_events FOR EACH ROW WHEN (new.app_id IS NOT NULL OR new.kind ~~ 'developer.%'::text) EXECUTE FUNCTION announce_event();

CREATE TRIGGER audit_events_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_audit_log();

CREATE TRIGGER audit_events_position BEFORE INSERT ON audit_events FOR EACH ROW EXECUTE FUNCTION take_position_in_audit_log();

-- Names of developers and companies with their skeletons, by which look-alikes are found (D325). SQL cannot compute a skeleton: the worker does, and again when the rule has changed.
create table developer_names (
  developer_id uuid not null,
  field text not null,
  name text not null,
  skeleton text,
  rule integer not null default 0,
  constraint developer_names_pkey PRIMARY KEY (developer_id, field),
  constraint developer_names_developer_id_fkey FOREIGN KEY (developer_id) REFERENCES developers(id) ON DELETE CASCADE,
  constraint developer_names_field_check CHECK ((field = ANY (ARRAY['name'::text, 'companyName'::text])))
);

CREATE INDEX developer_names_rule ON public.developer_names USING btree (rule, developer_id);

CREATE INDEX developer_names_skeleton ON public.developer_names USING btree (skeleton);

-- People and companies that list apps; one for each account.
create table developers (
  id uuid not null,
  account_user_id text not null,
  name text not null,
  email text not null,
  company_name text,
  website_url text,
  bio text,
  status text not null,
  status_before_suspension text,
  verified_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  proven_email text,
  constraint developers_pkey PRIMARY KEY (id),
  constraint developers_account_user_id_key UNIQUE (account_user_id),
  constraint developers_check CHECK (((status = 'SUSPENDED'::text) = (status_before_suspension IS NOT NULL))),
  constraint developers_check1 CHECK (((COALESCE(status_before_suspension, status) = 'VERIFIED'::text) = (verified_at IS NOT NULL))),
  constraint developers_status_before_suspension_check CHECK ((status_before_suspension = ANY (ARRAY['UNVERIFIED'::text, 'VERIFIED'::text]))),
  constraint developers_status_check CHECK ((status = ANY (ARRAY['UNVERIFIED'::text, 'VERIFIED'::text, 'SUSPENDED'::text])))
);

CREATE INDEX developers_created_at ON public.developers USING btree (created_at, id);

CREATE UNIQUE INDEX developers_email_key ON public.developers USING btree (lower(email));

CREATE TRIGGER developers_announce AFTER UPDATE OF name, company_name, website_url, bio, status ON developers FOR EACH ROW WHEN (old.name IS DISTINCT FROM new.name OR old.company_name IS DISTINCT FROM new.company_name OR old.website_url IS DISTINCT FROM new.website_url OR old.bio IS DISTINCT FROM new.bio OR (old.status = 'SUSPENDED'::text) IS DISTINCT FROM (new.status = 'SUSPENDED'::text)) EXECUTE FUNCTION announce_developer();

CREATE TRIGGER developers_index_apps AFTER UPDATE OF status, name, company_name ON developers FOR EACH ROW EXECUTE FUNCTION index_apps_of_developer();

CREATE TRIGGER developers_names AFTER INSERT OR UPDATE OF name, company_name ON developers FOR EACH ROW EXECUTE FUNCTION store_developer_names();

-- Installs that clients reported. An installation counts once for an app.
create table installations (
  id uuid not null,
  app_id uuid not null,
  installation_id text,
  account_user_id text,
  version text,
  created_at timestamp(3) with time zone not null,
  constraint installations_pkey PRIMARY KEY (id),
  constraint installations_once_per_app UNIQUE (app_id, installation_id)
);

CREATE INDEX installations_prunable ON public.installations USING btree (created_at) WHERE ((installation_id IS NULL) OR (account_user_id IS NOT NULL) OR (version IS NOT NULL));

-- Installs of each app by day (UTC), for the analytics.
create table installs_daily (
  app_id uuid not null,
  day date not null,
  environment text not null,
  version text not null,
  installs integer not null,
  unique_installations integer not null,
  constraint installs_daily_pkey PRIMARY KEY (app_id, day, environment, version),
  constraint installs_daily_check CHECK (((unique_installations >= 0) AND (unique_installations <= installs))),
  constraint installs_daily_installs_check CHECK ((installs >= 0))
) with (fillfactor=80);

CREATE INDEX installs_daily_by_version ON public.installs_daily USING btree (day) WHERE (version <> ''::text);

-- Mails that were sent before a key expires, so that each is sent once.
create table key_expiry_notices (
  key_id uuid not null,
  days_before integer not null,
  created_at timestamp(3) with time zone not null,
  constraint key_expiry_notices_pkey PRIMARY KEY (key_id, days_before),
  constraint key_expiry_notices_key_id_fkey FOREIGN KEY (key_id) REFERENCES api_keys(id) ON DELETE CASCADE
);

-- Mails to send and sent, for the job queue and the mailbox.
create table mails (
  id uuid not null,
  created_at timestamp(3) with time zone not null,
  kind text not null,
  recipient text not null,
  subject text not null,
  message_id text not null,
  html text,
  text text,
  digest_id uuid,
  digest_due_at timestamp(3) with time zone,
  notice jsonb,
  constraint mails_pkey PRIMARY KEY (id),
  constraint mails_check CHECK (((digest_id IS NULL) = (digest_due_at IS NULL))),
  constraint mails_check1 CHECK (((notice IS NULL) OR (digest_id IS NOT NULL)))
);

CREATE INDEX mails_address ON public.mails USING btree (lower(recipient), kind, created_at);

CREATE INDEX mails_created_at ON public.mails USING btree (created_at DESC, id DESC);

CREATE INDEX mails_digest ON public.mails USING btree (digest_id, id) WHERE (digest_id IS NOT NULL);

-- When the pictures of a public app are fetched again, and how they differ from what was reviewed (D328).
create table picture_checks (
  app_id uuid not null,
  due_at timestamp(3) with time zone not null,
  pictures jsonb not null default '[]'::jsonb,
  constraint picture_checks_pkey PRIMARY KEY (app_id),
  constraint picture_checks_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE
);

-- Changes of a profile by an API key, with the values before, for the link that undoes them (D323).
create table profile_changes (
  id uuid not null,
  developer_id uuid not null,
  key_id uuid not null,
  before jsonb not null,
  undo_hash bytea not null,
  outcome text,
  created_at timestamp(3) with time zone not null,
  constraint profile_changes_pkey PRIMARY KEY (id),
  constraint profile_changes_developer_id_fkey FOREIGN KEY (developer_id) REFERENCES developers(id),
  constraint profile_changes_outcome_check CHECK ((outcome = ANY (ARRAY['REVERTED'::text, 'KEPT'::text, 'EMAIL_TAKEN'::text]))),
  constraint profile_changes_undo_hash_key UNIQUE (undo_hash)
);

CREATE INDEX profile_changes_created_at ON public.profile_changes USING btree (created_at);

CREATE INDEX profile_changes_developer ON public.profile_changes USING btree (developer_id, created_at, id);

-- Ids of pipeline tokens that were exchanged, until they expire: each can be exchanged once.
create table publisher_tokens (
  issuer text not null,
  token_id text not null,
  expires_at timestamp(3) with time zone not null,
  constraint publisher_tokens_pkey PRIMARY KEY (issuer, token_id)
);

CREATE INDEX publisher_tokens_expired ON public.publisher_tokens USING btree (expires_at);

-- Counters of the rate limits that all gateways share.
create unlogged table rate_limits (
  key character varying(255) not null,
  points integer not null default 0,
  expire bigint,
  constraint rate_limits_pkey PRIMARY KEY (key)
) with (fillfactor=60);

-- Reports of ratings by accounts, until an administrator closes them.
create table rating_reports (
  id uuid not null,
  rating_id uuid not null,
  account_user_id text not null,
  reason text not null,
  closed_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint rating_reports_pkey PRIMARY KEY (id),
  constraint rating_reports_once_per_account UNIQUE (rating_id, account_user_id),
  constraint rating_reports_rating_id_fkey FOREIGN KEY (rating_id) REFERENCES ratings(id) ON DELETE CASCADE
);

CREATE INDEX rating_reports_closed ON public.rating_reports USING btree (closed_at) WHERE (closed_at IS NOT NULL);

CREATE INDEX rating_reports_open ON public.rating_reports USING btree (rating_id, created_at, id) WHERE (closed_at IS NULL);

-- Ratings of apps, one for each account and app. Hidden ones are not public and do not count.
create table ratings (
  id uuid not null,
  app_id uuid not null,
  account_user_id text not null,
  rating integer not null,
  title text,
  text text,
  reply text,
  hidden_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  hidden_reason text,
  removed_at timestamp(3) with time zone,
  author_name text,
  hidden_by text,
  reported_at timestamp(3) with time zone,
  constraint ratings_pkey PRIMARY KEY (id),
  constraint ratings_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE,
  constraint ratings_author_name_check CHECK ((author_name <> ''::text)),
  constraint ratings_hidden_by CHECK (((hidden_by IS NULL) OR (hidden_at IS NOT NULL))),
  constraint ratings_once_per_account UNIQUE (app_id, account_user_id),
  constraint ratings_rating_check CHECK (((rating >= 1) AND (rating <= 5))),
  constraint ratings_removed_if_hidden CHECK (((removed_at IS NULL) OR (hidden_at IS NOT NULL)))
);

CREATE INDEX ratings_app ON public.ratings USING btree (app_id, created_at, id);

CREATE INDEX ratings_hidden ON public.ratings USING btree (hidden_at DESC, id DESC) WHERE (hidden_at IS NOT NULL);

CREATE INDEX ratings_public ON public.ratings USING btree (app_id, created_at DESC, id DESC) WHERE (hidden_at IS NULL);

CREATE INDEX ratings_reported ON public.ratings USING btree (reported_at, id) WHERE (reported_at IS NOT NULL);

CREATE TRIGGER ratings_announce AFTER INSERT OR DELETE OR UPDATE OF id, app_id, account_user_id, rating, author_name, title, text, reply, hidden_at, removed_at, created_at, updated_at ON ratings FOR EACH ROW EXECUTE FUNCTION announce_catalog('counts');

CREATE TRIGGER ratings_count AFTER INSERT OR DELETE OR UPDATE OF rating, hidden_at ON ratings FOR EACH ROW EXECUTE FUNCTION count_rating();

-- Rows that gateways write to the primary, to recognise its replicas (D247).
create table replication_marks (
  id uuid not null,
  written_at timestamp(3) with time zone not null default now(),
  constraint replication_marks_pkey PRIMARY KEY (id)
);

-- Messages between developers and reviewers about an app.
create table review_messages (
  id uuid not null,
  created_at timestamp(3) with time zone not null,
  app_id uuid not null,
  author text not null,
  author_account text,
  text text not null,
  author_email text,
  constraint review_messages_pkey PRIMARY KEY (id),
  constraint review_messages_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE,
  constraint review_messages_author_check CHECK ((author = ANY (ARRAY['DEVELOPER'::text, 'REVIEWER'::text]))),
  constraint review_messages_check CHECK (((author_email IS NULL) OR (author = 'REVIEWER'::text)))
);

CREATE INDEX review_messages_app ON public.review_messages USING btree (app_id, created_at, id);

-- The migrations that have run, written by MikroORM.
create table schema_migrations (
  id integer not null default nextval('schema_migrations_id_seq'::regclass),
  name character varying(255) not null,
  executed_at timestamp(6) with time zone not null default CURRENT_TIMESTAMP(6),
  constraint schema_migrations_pkey PRIMARY KEY (id)
);

-- The words of the names of apps, to find similar ones for a typing error.
create table search_words (
  word text collate "C" not null,
  letters text collate "C" not null generated always as (letters_of(word)) stored,
  constraint search_words_pkey PRIMARY KEY (word)
);

CREATE INDEX search_words_letters ON public.search_words USING btree (letters);

CREATE INDEX search_words_trigrams ON public.search_words USING gin (word gin_trgm_ops);

-- Responses to requests with an Idempotency-Key, sent again when the request is repeated within 24 hours.
create table stored_responses (
  id bytea not null,
  body_hash bytea not null,
  status integer not null,
  etag text,
  body text,
  shown_once text,
  created_at timestamp(3) with time zone not null,
  developer_id uuid,
  constraint stored_responses_pkey PRIMARY KEY (id),
  constraint stored_responses_body_hash_check CHECK ((length(body_hash) = 32)),
  constraint stored_responses_check CHECK (((body IS NULL) = (shown_once IS NOT NULL))),
  constraint stored_responses_id_check CHECK ((length(id) = 32)),
  constraint stored_responses_status_check CHECK (((status >= 200) AND (status <= 299)))
);

CREATE INDEX stored_responses_created_at ON public.stored_responses USING btree (created_at);

CREATE INDEX stored_responses_developer ON public.stored_responses USING btree (developer_id, created_at) WHERE (developer_id IS NOT NULL);

-- Submissions of apps and versions: the queue of the reviewers, their claims and decisions.
create table submissions (
  id uuid not null,
  created_at timestamp(3) with time zone not null,
  app_id uuid not null,
  version_id uuid,
  queued_at timestamp(3) with time zone not null,
  due_at timestamp(3) with time zone not null,
  claimed_by text,
  claimed_until timestamp(3) with time zone,
  review_began_at timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  outcome text,
  revision integer,
  listing jsonb,
  claimed_by_email text,
  decided_by text,
  note text,
  rejection jsonb,
  findings jsonb,
  overdue_noticed_at timestamp(3) with time zone,
  constraint submissions_pkey PRIMARY KEY (id),
  constraint submissions_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE,
  constraint submissions_check CHECK (((ended_at IS NULL) = (outcome IS NULL))),
  constraint submissions_check1 CHECK (((claimed_by IS NULL) = (claimed_until IS NULL))),
  constraint submissions_check2 CHECK (((claimed_by_email IS NULL) OR (claimed_by IS NOT NULL))),
  constraint submissions_decided CHECK (((outcome = ANY (ARRAY['APPROVED'::text, 'REJECTED'::text])) OR ((decided_by IS NULL) AND (note IS NULL) AND (rejection IS NULL) AND (findings IS NULL)))),
  constraint submissions_outcome_check CHECK ((outcome = ANY (ARRAY['APPROVED'::text, 'REJECTED'::text, 'WITHDRAWN'::text]))),
  constraint submissions_version_id_fkey FOREIGN KEY (version_id) REFERENCES app_versions(id)
);

CREATE INDEX submissions_app ON public.submissions USING btree (app_id, created_at DESC);

CREATE INDEX submissions_decided ON public.submissions USING btree (app_id, ended_at DESC, id DESC) WHERE (listing IS NOT NULL);

CREATE INDEX submissions_decided_by ON public.submissions USING btree (decided_by, ended_at, id) WHERE (decided_by IS NOT NULL);

CREATE INDEX submissions_ended ON public.submissions USING btree (ended_at DESC) WHERE (outcome = ANY (ARRAY['APPROVED'::text, 'REJECTED'::text]));

CREATE UNIQUE INDEX submissions_one_open ON public.submissions USING btree (COALESCE(version_id, app_id)) WHERE (ended_at IS NULL);

CREATE INDEX submissions_queue ON public.submissions USING btree (queued_at, id) WHERE (ended_at IS NULL);

CREATE INDEX submissions_to_report ON public.submissions USING btree (due_at, id) WHERE ((ended_at IS NULL) AND (overdue_noticed_at IS NULL));

-- Pipelines that may publish an app: they exchange the identity of their forge for a short-lived API key.
create table trusted_publishers (
  id uuid not null,
  app_id uuid not null,
  developer_id uuid not null,
  issuer text not null,
  repository text not null,
  repository_id text,
  workflow text,
  environment text,
  last_used_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  constraint trusted_publishers_pkey PRIMARY KEY (id),
  constraint trusted_publishers_app_id_fkey FOREIGN KEY (app_id) REFERENCES apps(id) ON DELETE CASCADE,
  constraint trusted_publishers_check CHECK (((workflow IS NOT NULL) OR (environment IS NOT NULL))),
  constraint trusted_publishers_developer_id_fkey FOREIGN KEY (developer_id) REFERENCES developers(id)
);

CREATE INDEX trusted_publishers_app ON public.trusted_publishers USING btree (app_id);

CREATE INDEX trusted_publishers_developer ON public.trusted_publishers USING btree (developer_id, created_at DESC);

CREATE INDEX trusted_publishers_repository ON public.trusted_publishers USING btree (issuer, repository);

-- Attempts to deliver an event, with the request and the response.
create table webhook_attempts (
  id uuid not null,
  created_at timestamp(3) with time zone not null,
  delivery_id uuid not null,
  number integer not null,
  url text not null,
  request_headers jsonb not null,
  response_status integer,
  response_body text,
  error text,
  duration_ms integer not null,
  constraint webhook_attempts_pkey PRIMARY KEY (id),
  constraint webhook_attempts_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES webhook_deliveries(id) ON DELETE CASCADE,
  constraint webhook_attempts_number UNIQUE (delivery_id, number)
);

-- Events that are sent or were sent to an endpoint, once each.
create table webhook_deliveries (
  id uuid not null,
  created_at timestamp(3) with time zone not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  type text not null,
  request_body text not null,
  status text not null,
  attempt_count integer not null,
  try_count integer not null,
  next_attempt_at timestamp(3) with time zone,
  delivered_at timestamp(3) with time zone,
  failure text,
  job_id uuid not null,
  constraint webhook_deliveries_pkey PRIMARY KEY (id),
  constraint webhook_deliveries_attempt_count_check CHECK ((attempt_count >= 0)),
  constraint webhook_deliveries_check CHECK (((status = 'PENDING'::text) = (next_attempt_at IS NOT NULL))),
  constraint webhook_deliveries_check1 CHECK (((status <> 'DELIVERED'::text) OR (delivered_at IS NOT NULL))),
  constraint webhook_deliveries_check2 CHECK (((status = 'FAILED'::text) = (failure IS NOT NULL))),
  constraint webhook_deliveries_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id) ON DELETE CASCADE,
  constraint webhook_deliveries_once_per_endpoint UNIQUE (endpoint_id, event_id),
  constraint webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'DELIVERED'::text, 'FAILED'::text]))),
  constraint webhook_deliveries_try_count_check CHECK ((try_count >= 0))
) with (fillfactor=85);

CREATE INDEX webhook_deliveries_created_at ON public.webhook_deliveries USING btree (created_at);

CREATE INDEX webhook_deliveries_log ON public.webhook_deliveries USING btree (endpoint_id, created_at DESC, id DESC);

CREATE INDEX webhook_deliveries_tests ON public.webhook_deliveries USING btree (endpoint_id, created_at) WHERE (type = 'webhook.test'::text);

-- Addresses to which events are sent, with the secrets that sign them.
create table webhook_endpoints (
  id uuid not null,
  developer_id uuid,
  url text not null,
  events text[] not null,
  description text,
  signing_secret text not null,
  former_secret text,
  former_secret_until timestamp(3) with time zone,
  failing_since timestamp(3) with time zone,
  disabled_at timestamp(3) with time zone,
  disabled_reason text,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  created_position bigint default nextval('audit_events_position'::regclass),
  constraint webhook_endpoints_pkey PRIMARY KEY (id),
  constraint webhook_endpoints_check CHECK (((former_secret IS NULL) = (former_secret_until IS NULL))),
  constraint webhook_endpoints_check1 CHECK (((disabled_at IS NULL) = (disabled_reason IS NULL))),
  constraint webhook_endpoints_developer_id_fkey FOREIGN KEY (developer_id) REFERENCES developers(id),
  constraint webhook_endpoints_signing_secret_check CHECK (((signing_secret ~~ 'whsec\_%'::text) OR (signing_secret ~~ 'enc.v1.%'::text)))
);

CREATE INDEX webhook_endpoints_developer ON public.webhook_endpoints USING btree (developer_id, created_at DESC, id DESC);

-- Sequences

create sequence audit_events_position;

create sequence schema_migrations_id_seq;

-- Views

create view listed_texts as
 SELECT a.id AS app_id,
    fold_name(a.name) COLLATE "C" AS name,
    a.category,
    a.environment,
    a.featured,
    a.developer_id,
    h.headline,
    ((h.headline || to_tsvector('english'::regconfig, search_text(concat_ws(' '::text, d.name, d.company_name, a.long_description)))) || to_tsvector('simple'::regconfig, search_text(concat_ws(' '::text, d.name, d.company_name)))) || array_to_tsvector(ARRAY['='::text || a.category, '='::text || a.environment, '='::text || a.developer_id,
        CASE
            WHEN a.featured THEN '=featured'::text
            ELSE '=plain'::text
        END]) AS document
   FROM apps a
     JOIN developers d ON d.id = a.developer_id
     CROSS JOIN LATERAL unnest(ARRAY[setweight(to_tsvector('simple'::regconfig, search_text(a.name)) || to_tsvector('english'::regconfig, search_text(a.name)), 'A'::"char") || setweight(to_tsvector('english'::regconfig, search_text(concat_ws(' '::text, a.description, a.category))), 'B'::"char")]) h(headline)
  WHERE a.listed;

create view listed_words as
 SELECT app_search.app_id,
    word.word
   FROM app_search,
    LATERAL string_to_table(search_text(app_search.name), ' '::text) word(word)
  WHERE length(word.word) > 1;

create view queued_submissions as
 SELECT s.id,
    s.created_at,
    s.app_id,
    s.version_id,
    s.queued_at,
    s.due_at,
    s.claimed_by,
    s.claimed_until,
    s.review_began_at,
    s.ended_at,
    s.outcome,
    s.revision,
    s.listing,
    s.claimed_by_email,
    s.decided_by,
    s.note,
    s.rejection,
    s.findings,
    s.overdue_noticed_at
   FROM submissions s
     JOIN apps a ON a.id = s.app_id
     JOIN developers d ON d.id = a.developer_id
  WHERE s.ended_at IS NULL AND d.status <> 'SUSPENDED'::text;

-- Functions

CREATE OR REPLACE FUNCTION public.alike_query(value text)
 RETURNS tsquery
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  typed text[] := regexp_split_to_array(search_text(value), '\s+');
  different text[] := array(
    select t.word from unnest(typed) with ordinality as t (word, place) group by t.word order by min(t.place));
  one text;
  one_letters text;
  other text;
  part tsquery;
  whole tsquery;
begin
  if cardinality(different) > 12 then
    return ''::tsquery;
  end if;
  foreach one in array different loop
    continue when cardinality(typed) > 1 and numnode(plainto_tsquery('english', one)) = 0;
    part := search_query(one);
    one_letters := letters_of(one);
    for other in
      select w.word from (
        select word, letters from search_words
        where length(one) > 1 and word >= one and word < one || chr(1114111)
        union select word, letters from search_words where length(one) > 1 and letters = one_letters
        union select word, letters from search_words where length(one) > 2 and word % one) w
      order by w.letters = one_letters desc, similarity(w.word, one) desc, w.word limit 8
    loop
      part := part || search_query(other);
    end loop;
    whole := coalesce(whole && part, part);
  end loop;
  return coalesce(whole, ''::tsquery);
end $function$
;

CREATE OR REPLACE FUNCTION public.announce_app()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (old.status = 'APPROVED' or new.status = 'APPROVED') is not true or old is not distinct from new then
    return null;
  end if;
  if tg_op = 'UPDATE' then
    old.review_count := new.review_count;
    old.average_rating := new.average_rating;
    old.rating_sum := new.rating_sum;
    old.rating_counts := new.rating_counts;
  end if;
  perform pg_notify('catalog', case when old is not distinct from new then 'counts' else 'listings' end);
  -- After it: a subscriber reads the listing again, and must not get a cached one.
  perform pg_notify('changes', 'listing ' || coalesce(new.slug, old.slug));
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.announce_catalog()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('catalog', tg_argv[0]);
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.announce_developer()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  slugs text[];
begin
  perform pg_notify('catalog',
    case when (old.status = 'SUSPENDED') = (new.status = 'SUSPENDED') then 'counts' else 'listings' end);
  select array_agg(slug) into slugs from (
    select slug from apps where developer_id = new.id and status = 'APPROVED' limit 101) public_apps;
  if cardinality(slugs) > 100 then
    perform pg_notify('changes', 'listings');
  else
    perform pg_notify('changes', 'listing ' || slug) from unnest(slugs) slug;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.announce_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('changes', concat_ws(' ', 'event', new.kind, new.app_id, coalesce(
    (select status from app_versions where id = (new.data ->> 'versionId')::uuid),
    (select status from apps where id = new.app_id))));
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.attach_audit_partition(partition text, bounds text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format('create table %I (like audit_events including all, primary key (id))', partition);
  execute format('alter table audit_events attach partition %I %s', partition, bounds);
  execute format('create trigger audit_events_append_only before update or delete or truncate on %I
    for each statement execute function refuse_change_of_audit_log()', partition);
end $function$
;

CREATE OR REPLACE FUNCTION public.count_app(category text, environment text, featured boolean, by integer)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  earlier integer := coalesce(nullif(current_setting('marketplace.counted_apps', true), ''), '0');
begin
  perform set_config('marketplace.counted_apps', (earlier + 1)::text, true);
  insert into app_counts values (category, environment, featured, pg_backend_pid() % 16 + 16 * (earlier / 64), by)
  on conflict on constraint app_counts_pkey do update set apps = app_counts.apps + excluded.apps;
end $function$
;

CREATE OR REPLACE FUNCTION public.count_rating()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op <> 'INSERT' and old.hidden_at is null then
    update apps set rating_counts[old.rating] = rating_counts[old.rating] - 1 where id = old.app_id;
  end if;
  if tg_op <> 'DELETE' and new.hidden_at is null then
    update apps set rating_counts[new.rating] = rating_counts[new.rating] + 1 where id = new.app_id;
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.create_audit_partitions(months integer)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  this_month timestamp := date_trunc('month', now() at time zone 'utc');
  first_month timestamp := (select to_date(right(relname, 7), 'YYYY_MM') from pg_class
    where relname like 'audit\_events\_before\_%' and relkind = 'r' and relispartition);
  month timestamp;
  partition text;
begin
  if first_month is null then
    first_month := this_month + interval '2 months';
    perform attach_audit_partition('audit_events_before_' || to_char(first_month, 'YYYY_MM'),
      format('for values from (minvalue) to (%L)', first_month at time zone 'utc'));
    perform attach_audit_partition('audit_events_default', 'default');
  end if;
  for month in
    select day from generate_series(first_month, this_month + months * interval '1 month', interval '1 month') day
    where to_regclass('audit_events_' || to_char(day, 'YYYY_MM')) is null
  loop
    -- One process at a time: the others find the partition.
    lock table audit_events in share update exclusive mode;
    partition := 'audit_events_' || to_char(month, 'YYYY_MM');
    continue when to_regclass(partition) is not null or exists (
      select from audit_events_default where created_at >= month at time zone 'utc'
        and created_at < (month + interval '1 month') at time zone 'utc');
    perform attach_audit_partition(partition, format('for values from (%L) to (%L)',
      month at time zone 'utc', (month + interval '1 month') at time zone 'utc'));
  end loop;
end $function$
;

CREATE OR REPLACE FUNCTION public.end_of_first_audit_partition()
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select to_date(right(relname, 7), 'YYYY_MM')::timestamp at time zone 'utc' from pg_class
  where relname like 'audit\_events\_before\_%' and relkind = 'r'
$function$
;

CREATE OR REPLACE FUNCTION public.fold(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN CASE WHEN (octet_length(value) = length(value)) THEN lower(value) ELSE translate(replace(replace(replace(lower(NORMALIZE(regexp_replace(NORMALIZE(value, NFKD), '[\u0300-\u036f]'::text, ''::text, 'g'::text), NFC)), 'ß'::text, 'ss'::text), 'æ'::text, 'ae'::text), 'œ'::text, 'oe'::text), 'øłđðı'::text, 'olddi'::text) END
;

CREATE OR REPLACE FUNCTION public.fold_name(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN btrim(regexp_replace(fold(value), '\s+'::text, ' '::text, 'g'::text))
;

CREATE OR REPLACE FUNCTION public.index_apps(ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  insert into app_names (app_id, name) select id, name from apps where id = any(ids) and listed order by id
  on conflict (app_id) do update set name = excluded.name, skeleton = null, rule = 0
  where app_names.name <> excluded.name;
  delete from app_search where app_id = any(ids) and not exists (select from apps where id = app_id and listed);
  insert into app_search select * from listed_texts where app_id = any(ids)
  on conflict (app_id) do update set name = excluded.name, category = excluded.category,
    environment = excluded.environment, featured = excluded.featured, developer_id = excluded.developer_id,
    headline = excluded.headline, document = excluded.document;
  insert into search_words (word) select distinct word from listed_words where app_id = any(ids) order by word
  on conflict do nothing;
end $function$
;

CREATE OR REPLACE FUNCTION public.index_apps_of_developer()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.status = 'SUSPENDED') <> (old.status = 'SUSPENDED') then
    update apps set listed = new.status <> 'SUSPENDED' where developer_id = new.id and status = 'APPROVED';
  elsif (new.name, new.company_name) is distinct from (old.name, old.company_name) then
    perform index_apps(array(select id from apps where developer_id = new.id and listed));
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.index_changed_app()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update app_figures f set listed = new.listed, approved_at = new.approved_at, category = new.category,
    environment = new.environment, featured = new.featured
  where id = new.id and (f.listed, f.approved_at, f.category, f.environment, f.featured)
    is distinct from (new.listed, new.approved_at, new.category, new.environment, new.featured);
  if old.listed then
    perform count_app(old.category, old.environment, old.featured, -1);
  end if;
  if new.listed then
    perform count_app(new.category, new.environment, new.featured, 1);
  end if;
  if old.listed or new.listed then
    perform index_apps(array[new.id]);
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.index_new_apps()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into app_figures (id, listed, approved_at, category, environment, featured)
  select id, listed, approved_at, category, environment, featured from added;
  perform count_app(category, environment, featured, count(*)::integer)
  from added where listed group by category, environment, featured order by category, environment, featured;
  if found then
    perform index_apps(array(select id from added where listed order by id));
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.letters_of(word text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
BEGIN ATOMIC
 SELECT string_agg(letter.letter, ''::text ORDER BY letter.letter) AS string_agg
    FROM regexp_split_to_table(letters_of.word, ''::text) letter(letter);
END
;

CREATE OR REPLACE FUNCTION public.list_app()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  new.sort_name := lower(new.name);
  if new.status <> 'APPROVED' then
    new.listed := false;
  elsif tg_op = 'INSERT' or old.status <> 'APPROVED' or old.developer_id <> new.developer_id then
    select status <> 'SUSPENDED' into new.listed from developers where id = new.developer_id for share;
  end if;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.rebuild_catalog()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  truncate app_search, search_words, app_counts, app_names;
  insert into app_figures as f (id, listed, approved_at, category, environment, featured)
  select id, listed, approved_at, category, environment, featured from apps
  on conflict (id) do update set listed = excluded.listed, approved_at = excluded.approved_at,
    category = excluded.category, environment = excluded.environment, featured = excluded.featured
  where (f.listed, f.approved_at, f.category, f.environment, f.featured) is distinct from
    (excluded.listed, excluded.approved_at, excluded.category, excluded.environment, excluded.featured);
  drop index if exists app_search_name, app_search_document, app_search_name_words;
  raise notice 'Reading the texts';
  create temporary table built_texts as select * from listed_texts;
  raise notice 'Writing them to app_search';
  insert into app_search select * from built_texts;
  drop table built_texts;
  raise notice 'Indexing them';
  create index app_search_name on app_search (name) include (app_id, category, environment, featured, developer_id);
  create index app_search_document on app_search using gin (document) with (fastupdate = off);
  create index app_search_name_words on app_search using gin (ts_filter(headline, '{a}')) with (fastupdate = off);
  insert into search_words (word) select distinct word from listed_words;
  insert into app_counts select category, environment, featured, 0, count(*) from apps where listed group by 1, 2, 3;
  insert into app_names (app_id, name) select id, name from apps where listed;
end $function$
;

CREATE OR REPLACE FUNCTION public.refuse_change_of_audit_log()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'the audit log is append-only';
end $function$
;

CREATE OR REPLACE FUNCTION public.refuse_deletion_of_public_app()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'app % was public: it and its slug are never given away', old.id;
end $function$
;

CREATE OR REPLACE FUNCTION public.search_query(value text)
 RETURNS tsquery
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN CASE WHEN (numnode(plainto_tsquery('english'::regconfig, search_text(value))) > 0) THEN plainto_tsquery('english'::regconfig, search_text(value)) ELSE plainto_tsquery('simple'::regconfig, search_text(value)) END
;

CREATE OR REPLACE FUNCTION public.search_text(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN btrim(CASE WHEN (octet_length(value) = length(value)) THEN regexp_replace(replace(lower(value), ''''::text, ''::text), '[!-&(-/:-@\[-`{-~]'::text, ' '::text, 'g'::text) ELSE regexp_replace(regexp_replace(replace(replace(fold(value), ''''::text, ''::text), '’'::text, ''::text), '[!-&(-/:-@\[-`{-~–—…·]'::text, ' '::text, 'g'::text), '([\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff])'::text, ' \1 '::text, 'g'::text) END)
;

CREATE OR REPLACE FUNCTION public.store_developer_names()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into developer_names (developer_id, field, name)
  select new.id, given.field, given.name
  from (values ('name', new.name), ('companyName', new.company_name)) given (field, name)
  where given.name <> ''
  on conflict (developer_id, field) do update set name = excluded.name, skeleton = null, rule = 0
  where developer_names.name <> excluded.name;
  if coalesce(new.company_name, '') = '' then
    delete from developer_names where developer_id = new.id and field = 'companyName';
  end if;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION public.take_position_in_audit_log()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.developer_id is not null then
    perform pg_advisory_xact_lock(hashtextextended('events:' || new.developer_id, 0));
  end if;
  new.position := nextval('audit_events_position');
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION public.take_slug(candidates text[])
 RETURNS text
 LANGUAGE plpgsql
AS $function$
declare
  candidate text;
begin
  foreach candidate in array candidates loop
    continue when exists (select from apps where slug = candidate);
    continue when not pg_try_advisory_xact_lock(hashtextextended('slug:' || candidate, 0));
    if not exists (select from apps where slug = candidate) then
      return candidate;
    end if;
  end loop;
  return null;
end $function$
;

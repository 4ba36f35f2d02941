import { sql } from 'kysely';

/**
 * Where those can be reached who deal with an app: who wrote about it, and who holds a submission of it, also after the
 * claim has lapsed, since nobody else has taken it yet. Of each administrator the address that was known last.
 */
export const addressesOfReviewers = (appId: string) => sql<{ email: string }>`
  select distinct on (account) email from (
    select author_account as account, author_email as email, created_at as at
    from review_messages where app_id = ${appId}
    union all
    select claimed_by, claimed_by_email, claimed_until
    from submissions where app_id = ${appId} and ended_at is null) known
  where email is not null
  order by account, at desc`;

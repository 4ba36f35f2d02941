import type { Client } from 'pg';
import { type CheckResult, resultsOf } from './check-result.js';

/** Waiting time after which a job counts as late. Workers look for jobs every second. */
const LATE = "interval '5 minutes'";

/** Checks the endpoints of the webhooks, and the jobs that send mails and webhooks. */
export async function checkJobs(client: Client): Promise<CheckResult[]> {
  return [await checkWebhooks(client), await checkQueue(client)];
}

async function checkWebhooks(client: Client): Promise<CheckResult> {
  const { ok, warn } = resultsOf('webhooks');
  const { rows } = await client.query<{ total: number; disabled: number; failing: number }>(
    `select count(*)::int as total, count(disabled_at)::int as disabled,
       (count(*) filter (where failing_since is not null and disabled_at is null))::int as failing
     from webhook_endpoints`,
  );
  const { total = 0, disabled = 0, failing = 0 } = rows[0] ?? {};
  const message = `endpoints: ${total}, disabled: ${disabled}, failing: ${failing}`;
  return disabled + failing === 0
    ? ok(message)
    : warn(
        message,
        'Their owners have to fix the receivers; deliveries of failing endpoints are retried. If many fail, check that this machine can reach the internet.',
      );
}

async function checkQueue(client: Client): Promise<CheckResult> {
  const { ok, warn } = resultsOf('jobs');
  const { rows } = await client.query<{ late: number; failed: number }>(
    `select (count(*) filter (where state in ('created', 'retry') and start_after < now() - ${LATE}))::int as late,
       (count(*) filter (where state = 'failed'))::int as failed
     from pgboss.job where state in ('created', 'retry', 'failed')`,
  );
  const { late = 0, failed = 0 } = rows[0] ?? {};
  const message = `jobs that wait for more than 5 minutes: ${late}, given up within the last days: ${failed}`;
  if (late > 0)
    return warn(
      message,
      'Start a worker: npm run worker, or a gateway with WORKER=inline, and read its log.',
    );
  return failed > 0 ? warn(message, 'Read the log of the worker for the reasons.') : ok(message);
}

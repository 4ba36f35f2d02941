import type { ConnectionJson } from '../../support/actors.js';
import type { Service } from '../../support/service.js';

/** The open reports of an app, newest first, as administrators see them. */
export async function reportsOf(service: Service, appId: string) {
  interface Answer {
    appReports: ConnectionJson<{ reason: string; text: string | null; app: { id: string } }>;
  }
  const { appReports } = await service.client.queryData<Answer>(
    '{ appReports(first: 100) { edges { node { reason text app { id } } } } }',
    {},
    await service.admin(),
  );
  return appReports.edges
    .filter(({ node }) => node.app.id === appId)
    .map(({ node: { reason, text } }) => ({ reason, text }));
}

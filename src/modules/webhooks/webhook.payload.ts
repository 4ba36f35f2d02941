import type { EntityManager } from '@mikro-orm/postgresql';
import { App } from '../apps/app.entity.js';
import type { AuditEvent } from '../audit/audit-event.entity.js';
import { webhooked } from '../audit/event.types.js';
import { Developer } from '../developers/developer.entity.js';
import type { Event } from './webhook.types.js';

/** What is told of an event. */
type Line = Pick<AuditEvent, 'id' | 'kind' | 'createdAt' | 'developerId' | 'appId' | 'data'>;

/**
 * Events as their developer is told of them: ids, what is public of developer and app, and the facts listed for the kind.
 * Who acted, and what else the audit log knows, stays there.
 */
export async function toldOf(em: EntityManager, lines: readonly Line[]): Promise<Event[]> {
  const developerIds = distinct(lines.map(({ developerId }) => developerId));
  const appIds = distinct(lines.map(({ appId }) => appId));
  const developers = byId(await em.find(Developer, { id: developerIds }));
  const apps = byId(await em.find(App, { id: appIds }));
  return lines.map(({ id, kind, createdAt, developerId, appId, data }) => ({
    id,
    type: kind,
    timestamp: createdAt,
    data: {
      developer: publicDeveloper(developerId, developers),
      app: appId && publicApp(appId, apps),
      ...Object.fromEntries((webhooked[kind] ?? []).map((fact) => [fact, data[fact] ?? null])),
    },
  }));
}

/** The body of a message, in the form of Standard Webhooks. */
export const bodyOf = ({ type, timestamp, data }: Omit<Event, 'id'>) =>
  JSON.stringify({ type, timestamp: timestamp.toISOString(), data });

function publicDeveloper(id: string | null, known: ReadonlyMap<string, Developer>) {
  const developer = known.get(id ?? '');
  return {
    id,
    name: developer?.name ?? null,
    companyName: developer?.companyName ?? null,
    websiteUrl: developer?.websiteUrl ?? null,
  };
}

/** Of an app that has been deleted since, the id is all there is. */
function publicApp(id: string, known: ReadonlyMap<string, App>) {
  const app = known.get(id);
  return { id, slug: app?.slug ?? null, name: app?.name ?? null };
}

const distinct = (ids: readonly (string | null)[]) => [...new Set(ids)].filter((id) => id !== null);

const byId = <Row extends { id: string }>(rows: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [row.id, row]));

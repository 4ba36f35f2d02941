import type { Input } from '../../support/api-client.js';
import { expectSuccess } from '../../support/outcomes.js';
import type { Service } from '../../support/service.js';
import type { PublicAppJson } from './public-apps.js';

/** A page of apps, with everything that the operation returns. */
export interface ConnectionPage {
  edges: { node: PublicAppJson; cursor: string }[];
  pageInfo: {
    hasNextPage: boolean;
    hasPreviousPage: boolean;
    startCursor: string | null;
    endCursor: string | null;
  };
  totalCount: number;
  totalIsExact: boolean;
  facets: {
    categories: { category: string; count: number }[];
    environments: { environment: string; count: number }[];
  };
}

export const idsOf = ({ edges }: ConnectionPage) => edges.map(({ node }) => node.id);

export const listApps = (service: Service, input: Input = {}) =>
  service.client.call<ConnectionPage>('graphql', 'apps', input);

/** The page that `apps` returns; fails the test where it refuses. */
export async function pageOfApps(service: Service, input: Input = {}): Promise<ConnectionPage> {
  return expectSuccess(await listApps(service, input));
}

import { words } from '../../support/words.js';
import { json, maxPath, type Recipe } from './recipe.js';

const headerNames = words(`
  authorization accept accept-encoding accept-language content-type cookie if-match if-none-match
  idempotency-key x-request-id x-forwarded-for forwarded origin host range referer sec-fetch-site
  traceparent user-agent access-control-request-headers`);
const headerUnits = [
  'a',
  ' ',
  'a ',
  ',',
  'a,',
  '"1", ',
  'W/"1",',
  'a/b,',
  '*/*;q=0.1,',
  ';a=b',
  '; ',
  '=',
  'a=b; ',
  'Bearer ',
  'eyJhIjoxfQ.',
  '1.1.1.1, ',
  '[::1],',
  '"',
  '\\"',
  '%',
  'é',
  'charset=utf-8;',
];
const headerPaths = [
  'GET /api/apps',
  'POST /graphql',
  'GET /graphql?query={__typename}',
  'PUT /api/dev/me',
  'POST /api/dev/apps',
  'OPTIONS /graphql',
  'GET /openapi.json',
  'GET /schema.graphql',
  'GET /',
  'GET /docs/',
];

export const header: Recipe = {
  name: 'header',
  variants: headerNames.length * headerUnits.length * headerPaths.length,
  render(_kit, choice, size) {
    const name = headerNames[choice % headerNames.length]!;
    const unit = headerUnits[Math.floor(choice / headerNames.length) % headerUnits.length]!;
    const place = headerPaths[Math.floor(choice / headerNames.length / headerUnits.length)]!;
    const [method = '', path = ''] = place.split(' ');
    const prefix = name === 'authorization' ? 'Bearer ' : name === 'content-type' ? 'application/json;' : '';
    const value = (prefix + unit.repeat(Math.ceil(Math.min(size, 15_000) / unit.length))).trim();
    const sends = method === 'POST' || method === 'PUT';
    return {
      about: `${place}, header ${name}: ${JSON.stringify(unit)} again and again`,
      method,
      path,
      headers: { ...(sends && json), [name]: Buffer.from(value).toString('latin1') },
      body: sends ? '{"query":"{__typename}"}' : null,
      credential: 'none',
    };
  },
};

const addresses = words(`
  /api/apps /api/apps/a /graphql /api/dev/me / /docs /playground /openapi.json /schema.graphql
  /dev/mailbox /metrics`);
const addressUnits = words(`
  ?a=1& ?a& ?a[]=1& ?a[b][c]=1& ?search=a& ?page=1& ?%61=%62& ?query={__typename}& ?& ?= /a // /..
  /%2e%2e /%2f /% /%C3%A9 ?a=%E0%A4%A ?a=+ ?search=%CC%81%CC%A3 ?sort=a,`);

export const address: Recipe = {
  name: 'address',
  variants: addresses.length * addressUnits.length,
  render(_kit, choice, size) {
    const place = addresses[choice % addresses.length]!;
    const unit = addressUnits[Math.floor(choice / addresses.length)]!;
    const separator = unit.startsWith('?') ? '?' : '';
    const piece = unit.slice(separator.length);
    const path = place + separator + piece.repeat(Math.ceil(Math.min(size, maxPath) / piece.length));
    return {
      about: `GET ${place}, then ${unit} again and again`,
      method: 'GET',
      path,
      headers: {},
      body: null,
      credential: 'none',
    };
  },
};

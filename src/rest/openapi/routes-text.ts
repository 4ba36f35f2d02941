import type { GraphQLSchema } from 'graphql';
import { type Route, routesOf } from '../route.js';

/** Returns the table of REST routes: method, path, status, credential, scope, operation. */
export function routesText(schema: GraphQLSchema): string {
  const rows = [
    ['METHOD', 'PATH', 'STATUS', 'CREDENTIAL', 'SCOPE', 'OPERATION'],
    ...routesOf(schema).map(row),
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((cells) => cells[column]!.length)));
  return `${rows
    .map((cells) =>
      cells
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')}\n`;
}

function row({ method, path, operation, name }: Route): string[] {
  const { policy, status } = operation;
  const success = typeof status === 'function' ? '201/200' : String(status ?? 200);
  const credential = {
    anyone: 'none',
    optional: 'none',
    account: 'account token',
    admin: 'administrator',
    developer: policy.accountTokenOverRest ? 'key or account token' : 'key',
  }[policy.kind];
  return [
    method,
    path,
    success,
    credential,
    `${policy.scope ?? '-'}${policy.mustBeVerified ? ' (verified)' : ''}`,
    name,
  ];
}

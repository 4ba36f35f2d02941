import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Meter } from './measure.js';
import type { Finding } from './search.js';

/** One line for a request: what it costs, what came back, what it is. */
export function lineOf({ measurement, candidate }: Finding, meter: Meter): string {
  const { ms, postgresMs, status, code, bytes, fault, time } = measurement;
  const parts = `gateway ${(ms - postgresMs).toFixed(1)} + PostgreSQL ${postgresMs.toFixed(1)}`;
  const { about, method, path, credential } = meter.render(candidate);
  const place = path.length > 60 ? `${path.slice(0, 57)}…` : path;
  const answer = `${status} ${code ?? ''}`.trim();
  const repeated = time > 1 ? `, at repetition ${time}` : '';
  return `${ms.toFixed(1).padStart(9)} ms (${parts})  ${answer}, ${bytes} B  ${method} ${place} as ${credential}: ${about}${repeated}${fault ? ` — ${fault}` : ''}`;
}

/** Writes requests to files, each with the command that sends it and the line that measures it again. */
export async function save(findings: readonly Finding[], meter: Meter, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [i, finding] of findings.entries()) {
    const { method, path, headers, body, credential } = meter.render(finding.candidate);
    const stem = String(i + 1).padStart(2, '0');
    const options = Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`);
    if (credential !== 'none')
      options.push(`-H "Authorization: Bearer $TOKEN_OF_${credential.toUpperCase()}"`);
    if (body !== null) options.push(`--data-binary @${stem}.body`);
    const command = `curl -X ${method} ${options.join(' ')} "$GATEWAY"'${path}'`;
    const replay = JSON.stringify(finding.candidate);
    await writeFile(join(folder, `${stem}.txt`), `${lineOf(finding, meter).trim()}\n\n${command}\n`);
    await writeFile(join(folder, `${stem}.json`), `${replay}\n`);
    if (body !== null) await writeFile(join(folder, `${stem}.body`), body);
  }
}

import { atOnce } from './actors.js';
import type { Service } from './service.js';

/** Makes an administrator verify and unverify developers alternately, so that this number of notices is recorded. */
export async function decide(service: Service, decisions: number): Promise<void> {
  const admin = await service.admin();
  const each = 25;
  await atOnce(decisions / each, async () => {
    const { id } = await service.anUnverifiedDeveloper();
    const acts = Array.from({ length: each }, (_, at) =>
      at % 2 === 0
        ? `act${at}: verifyDeveloper(id: "${id}") { status }`
        : `act${at}: unverifyDeveloper(id: "${id}", reason: "No. ${at}") { status }`,
    );
    const { errors } = await service.client.graphql(`mutation { ${acts.join(' ')} }`, {}, admin);
    if (errors) throw new Error(JSON.stringify(errors));
  });
}

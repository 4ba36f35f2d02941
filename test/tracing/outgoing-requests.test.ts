import { beforeAll, describe, expect, it } from '@jest/globals';
import { duringTests } from '../support/before-tests.js';
import { MailServer } from '../support/mail-server.js';
import { startTestProvider } from '../support/oidc-provider.js';
import { startPictureServer } from '../support/pictures.js';
import { startService } from '../support/service.js';
import { TraceReceiver } from '../support/trace-receiver.js';

describe('the spans of what the service asks of others (D272)', () => {
  const receiver = duringTests(() => TraceReceiver.start());
  beforeAll(async () => {
    const provider = await startTestProvider();
    const mails = await MailServer.start();
    const pictures = await startPictureServer();
    const service = await startService(
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OIDC_ISSUER: provider.issuer,
        SMTP_URL: mails.url,
        WORKER: 'inline',
      },
      undefined,
      { assetChecks: { allowedHosts: [pictures.host], resolve: async () => [] } },
    );
    const { client } = service;
    const token = await provider.token('ada');
    const profile = { accountUserId: 'ada', name: 'Ada', email: 'ada@example.com' };
    const { id } = await client.must<{ id: string }>('registerDeveloper', profile, token);
    await client.must('verifyDeveloper', { id }, await provider.token('root', { admin: true }));
    const listing = {
      name: 'Traced',
      description: 'Counts.',
      category: 'OTHER',
      environment: 'production',
      logoUrl: pictures.url('/png/512x512'),
    };
    const app = await client.must<{ id: string }>('createApp', listing, token);
    await client.call('graphql', 'preflight', { id: app.id }, token);
    await mails.has(1);
    // Sends what is left.
    await service.close();
    await Promise.all([provider.close(), mails.stop(), pictures.close()]);
  });

  const asked = (name: string) =>
    receiver.spans.filter((span) => span.name === name && span.kind === 'CLIENT');
  const above = (spanId: string) => receiver.spans.find((span) => span.spanId === spanId)?.name;

  it('have one for each mail that is sent, below its job', () => {
    const [mail] = asked('SMTP send');
    expect(mail?.attributes).toMatchObject({
      'server.address': '127.0.0.1',
      'network.protocol.name': 'smtp',
    });
    expect(above(mail?.parentSpanId ?? '')).toMatch(/notifications/);
  });

  it('have one for each document of the identity provider, and for each picture', () => {
    const parents = asked('GET').map(({ parentSpanId }) => above(parentSpanId));
    // The discovery document and the keys, for the first token; then the logo.
    expect(parents).toEqual(['mutation', 'mutation', 'preflight']);
    for (const { attributes } of asked('GET'))
      expect(attributes).toMatchObject({ 'http.request.method': 'GET', 'server.address': '127.0.0.1' });
  });
});

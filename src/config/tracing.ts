import { z } from 'zod';
import { oneOf, url } from './formats.js';

/** The settings of traces. Names, values and defaults are those of OpenTelemetry. */
export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: url(['http:', 'https:']).optional(),
  OTEL_SERVICE_NAME: z.string().default('marketplace-gateway'),
  OTEL_TRACES_SAMPLER: oneOf(
    'parentbased_always_on',
    'parentbased_always_off',
    'parentbased_traceidratio',
    'always_on',
    'always_off',
    'traceidratio',
  ).default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .refine((value) => /^(0?\.\d+|0|1(\.0+)?)$/.test(value), { error: 'must be a number between 0 and 1' })
    .transform(Number)
    .prefault('1'),
};

type TracingVariables = z.output<z.ZodObject<typeof tracingVariables>>;

/** Returns the settings of traces; null without an endpoint. */
export const tracingOf = (set: TracingVariables) =>
  set.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
    ? null
    : {
        /** Address of the receiver, without `/v1/traces`. */
        endpoint: set.OTEL_EXPORTER_OTLP_ENDPOINT.replace(/\/+$/, ''),
        serviceName: set.OTEL_SERVICE_NAME,
        sampler: set.OTEL_TRACES_SAMPLER,
        /** The part of traces that the ratio samplers record. */
        ratio: set.OTEL_TRACES_SAMPLER_ARG,
      };

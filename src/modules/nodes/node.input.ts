import { z } from 'zod';

/** Longer than any `nodeId`. */
const maxLength = 200;
export const maxNodes = 100;

const anyId = () =>
  z
    .string()
    .overwrite((value) => (value.length <= maxLength ? value : ''))
    .meta({ format: 'uuid', maxLength });

export const NodeId = z.object({ id: anyId().describe('The `nodeId` of an object, or its `id`.') });

export const NodeIds = z.object({
  ids: z
    .array(anyId())
    .max(maxNodes)
    .describe(`The \`nodeId\` or \`id\` of each object; at most ${maxNodes}.`),
});

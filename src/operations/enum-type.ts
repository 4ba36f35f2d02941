import 'reflect-metadata';
import { registerEnumType } from 'type-graphql';

/** Declares the GraphQL enum of an enum of TypeScript. A value without a description does not compile. */
export function describeEnum<E extends object>(
  values: E,
  name: string,
  description: string,
  meanings: Readonly<Record<keyof E & string, string>>,
): void {
  const described = Object.entries<string>(meanings).map(([value, meaning]) => [
    value,
    { description: meaning },
  ]);
  registerEnumType(values, { name, description, valuesConfig: Object.fromEntries(described) });
}

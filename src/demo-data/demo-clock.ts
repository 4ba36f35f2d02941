import type { EventArgs, EventSubscriber } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { nowMs } from '../db/clock.js';

const hourMs = 60 * 60 * 1000;

/**
 * Dates what services write into the past: they use the current time, and the audit log cannot be changed afterwards. Every
 * time that is written in a step is moved back by the same number of hours, future times such as deadlines too.
 */
export class DemoClock implements EventSubscriber {
  private readonly startedMs = nowMs();
  private offsetMs = 0;

  constructor(private readonly em: EntityManager) {
    em.getEventManager().registerSubscriber(this);
  }

  /** True if the current step takes place within the last day, so that a mail about it is no surprise. */
  get isRecent(): boolean {
    return this.offsetMs <= 24 * hourMs;
  }

  /** Runs a step as if it took place some hours ago, and writes its changes. Entities of earlier steps are detached. */
  async at<Result>(hoursAgo: number, step: () => Promise<Result>): Promise<Result> {
    this.offsetMs = Math.round(hoursAgo * hourMs);
    const result = await step();
    await this.em.flush();
    // Every flush compares all entities that the EntityManager knows.
    this.em.clear();
    return result;
  }

  beforeCreate({ entity, changeSet }: EventArgs<object>): void {
    const values = entity as Record<string, unknown>;
    for (const name of Object.keys(changeSet?.payload ?? {})) values[name] = this.moved(values[name]);
  }

  beforeUpdate(change: EventArgs<object>): void {
    this.beforeCreate(change);
  }

  /** Moves a time, and the times inside a JSON value. Earlier times were moved before. */
  private moved(value: unknown): unknown {
    if (value instanceof Date)
      return value.getTime() < this.startedMs ? value : new Date(value.getTime() - this.offsetMs);
    if (Array.isArray(value)) return value.map((item) => this.moved(item));
    if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype)
      return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.moved(item)]));
  }
}

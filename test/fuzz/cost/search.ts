import { anyCandidate, type Candidate, familyOf, mutated } from './candidate.js';
import type { Measurement, Meter } from './measure.js';
import type { Random } from './random.js';

/** A request and what it costs. */
export interface Finding {
  candidate: Candidate;
  measurement: Measurement;
}

/** Number of families of requests that are grown further. */
const corpusSize = 60;
/** A request that costs as much as this part of the budget is measured again. */
const suspicious = 0.8;
/** And as much as this, a second time before it is believed. */
const notable = 0.2;

/** Searches for the most expensive requests: keeps those found so far, and grows and mutates them. */
export class Search {
  /** The dearest of each family, as first measured. */
  private readonly best = new Map<string, Finding>();
  /** Those that were measured with care. */
  private readonly confirmed = new Map<string, Finding>();

  constructor(
    private readonly meter: Meter,
    private readonly random: Random,
    private readonly budgetMs: number,
    /** Called with each request that is too expensive, when it is found. */
    private readonly onFinding: (finding: Finding) => void = () => undefined,
  ) {}

  /** Measures a candidate, and with care if it seems too dear. */
  async measure(candidate: Candidate, times = 1): Promise<void> {
    const family = familyOf(candidate);
    let measurement = await this.meter.look(candidate, times);
    const known = this.best.get(family)?.measurement.ms ?? 0;
    if (measurement.ms <= known && !measurement.fault) return;
    // A single expensive response may be garbage collection.
    if (
      !measurement.fault &&
      measurement.ms > this.budgetMs * notable &&
      measurement.ms < this.budgetMs * 5
    ) {
      const again = await this.meter.look(candidate, times);
      if (again.ms < measurement.ms) measurement = again;
    }
    if (measurement.ms > known || measurement.fault) this.best.set(family, { candidate, measurement });
    if (measurement.fault) this.keep({ candidate, measurement });
    else if (measurement.ms > this.budgetMs * suspicious) await this.confirm(candidate);
  }

  /** Measures new and mutated candidates until `isOver`. */
  async run(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const parent = this.random.chance(0.6) ? this.parent() : null;
      const candidate = parent ? mutated(parent, this.random) : anyCandidate(this.random);
      await this.measure(candidate, this.random.chance(0.2) ? 4 : 1);
    }
  }

  /** Requests that cost more than the budget, or whose response is wrong. */
  findings(): Finding[] {
    return this.sorted(this.confirmed).filter((finding) => this.isFinding(finding));
  }

  /** The dearest requests, each measured with care. */
  async dearest(count: number): Promise<Finding[]> {
    for (const { candidate } of this.sorted(this.best).slice(0, count)) {
      if (!this.meter.hasEnded && !this.confirmed.has(familyOf(candidate))) await this.confirm(candidate);
    }
    return this.sorted(this.confirmed).slice(0, count);
  }

  /** The highest figure so far, for those who watch. */
  get highestMs(): number {
    return this.sorted(this.best)[0]?.measurement.ms ?? 0;
  }

  private isFinding({ measurement: { ms, fault } }: Finding): boolean {
    return fault !== null || ms > this.budgetMs;
  }

  private async confirm(candidate: Candidate): Promise<void> {
    const family = familyOf(candidate);
    const known = this.confirmed.get(family);
    const before = this.best.get(family);
    // Once is enough for a family that is too dear, unless it becomes much dearer.
    if (known && before && before.measurement.ms < known.measurement.ms * 1.5) return;
    const measurement = await this.meter.confirm(candidate, this.budgetMs);
    if (!known || measurement.fault || measurement.ms > known.measurement.ms)
      this.keep({ candidate, measurement });
  }

  private keep(finding: Finding): void {
    const family = familyOf(finding.candidate);
    const isNew = !this.confirmed.has(family);
    this.confirmed.set(family, finding);
    if (isNew && this.isFinding(finding)) this.onFinding(finding);
  }

  /** One of the dearest; seldom one that is known to be too dear. */
  private parent(): Candidate | null {
    const tooDear = new Set(this.findings().map(({ candidate }) => familyOf(candidate)));
    const corpus = this.sorted(this.best)
      .map(({ candidate }) => candidate)
      .filter((candidate) => !tooDear.has(familyOf(candidate)) || this.random.chance(0.05))
      .slice(0, corpusSize);
    return corpus.length > 0 ? this.random.pick(corpus) : null;
  }

  private sorted(findings: ReadonlyMap<string, Finding>): Finding[] {
    return [...findings.values()].sort((a, b) => b.measurement.ms - a.measurement.ms);
  }
}

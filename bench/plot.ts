import { parse, type Spec, View } from 'vega';
import type { Sample } from './measure.js';

/** Latencies of one interval of a plot. */
export interface PlotPoint {
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** One chart of a plot. */
export interface Chart {
  readonly title: string;
  readonly points: readonly PlotPoint[];
}

const WIDTH = 720;
const HEIGHT = 160;
const CHART_GAP = 64;
const colors = { p50: '#4c78a8', p99: '#f58518', max: '#e45756' };

/** Draws latencies over time as an SVG: one chart below the other, with the same logarithmic scale of milliseconds. */
export async function plotLatencies(title: string, charts: readonly Chart[]): Promise<string> {
  return new View(parse(specOf(title, charts)), { renderer: 'none' }).toSVG();
}

/** Returns the latencies of windows, one after the other. */
export function pointsOf(samples: readonly Pick<Sample, 'intervals'>[]): PlotPoint[] {
  let startMs = 0;
  return samples.flatMap(({ intervals }) => {
    const points = intervals.map(({ atMs, ...figures }) => ({
      seconds: (startMs + atMs) / 1000,
      ...figures,
    }));
    const [first, second] = intervals;
    startMs += (intervals.at(-1)?.atMs ?? 0) + (first && second ? second.atMs - first.atMs : 0);
    return points;
  });
}

const valuesOf = ({ points }: Chart) =>
  points.flatMap(({ seconds, p50Ms, p99Ms, maxMs }) => [
    { seconds, ms: p50Ms, figure: 'p50' },
    { seconds, ms: p99Ms, figure: 'p99' },
    { seconds, ms: maxMs, figure: 'max' },
  ]);

function specOf(title: string, charts: readonly Chart[]): Spec {
  const all = charts.flatMap(valuesOf);
  const marks = charts.map((chart, index) => chartOf(chart, index));
  return {
    width: WIDTH,
    height: charts.length * (HEIGHT + CHART_GAP),
    padding: 8,
    background: 'white',
    title: { text: title, anchor: 'start' },
    data: charts.map((chart, index) => ({ name: `chart${index}`, values: valuesOf(chart) })),
    scales: [
      {
        name: 'x',
        type: 'linear',
        range: 'width',
        domain: [0, Math.max(1, ...all.map(({ seconds }) => seconds))],
      },
      {
        name: 'y',
        type: 'log',
        range: [HEIGHT, 0],
        nice: true,
        domain: [
          Math.max(0.1, Math.min(...all.map(({ ms }) => ms))),
          Math.max(1, ...all.map(({ ms }) => ms)),
        ],
      },
      { name: 'color', type: 'ordinal', domain: Object.keys(colors), range: Object.values(colors) },
    ],
    legends: [{ stroke: 'color', title: 'latency', orient: 'right', symbolType: 'stroke' }],
    marks,
  };
}

function chartOf(chart: Chart, index: number): NonNullable<Spec['marks']>[number] {
  const facet = { name: `lines${index}`, data: `chart${index}`, groupby: 'figure' };
  return {
    type: 'group',
    title: { text: chart.title, anchor: 'start', fontSize: 11 },
    encode: {
      enter: {
        y: { value: CHART_GAP / 2 + index * (HEIGHT + CHART_GAP) },
        width: { value: WIDTH },
        height: { value: HEIGHT },
      },
    },
    axes: [
      { orient: 'bottom', scale: 'x', title: 'seconds' },
      { orient: 'left', scale: 'y', title: 'ms', grid: true, tickCount: 5 },
    ],
    marks: [
      {
        type: 'group',
        from: { facet },
        marks: [
          {
            type: 'line',
            from: { data: facet.name },
            encode: {
              enter: {
                x: { scale: 'x', field: 'seconds' },
                y: { scale: 'y', field: 'ms' },
                stroke: { scale: 'color', field: 'figure' },
                strokeWidth: { value: 1 },
              },
            },
          },
        ],
      },
    ],
  };
}

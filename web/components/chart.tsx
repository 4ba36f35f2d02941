import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { marksPlugin, tooltipPlugin } from './chart-plugins.ts';

export type Bucket = 'DAY' | 'WEEK' | 'MONTH';

interface ChartProps {
  title: string;
  /** The first days of the buckets, such as `2026-01-31`, oldest first. */
  days: readonly string[];
  lines: readonly { label: string; values: readonly (number | null)[]; color: string }[];
  bucket?: Bucket;
  /** Small counts are bars: a line between them would zigzag. */
  hasBars?: boolean;
  /** An event of a day, such as the release of a version. */
  marks?: readonly Mark[];
}

export interface Mark {
  readonly day: string;
  readonly label: string;
}

const HEIGHT = 220;
const DAY_SECONDS = 24 * 3600;
const X_AXIS_HEIGHT = 28;
/** Up to this maximum an axis ends at it; above it there is some room. */
const SMALL_COUNT = 5;
/** Between two lines: whole numbers only. */
const COUNT_STEPS = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000].flatMap((ten) => [ten, 2 * ten, 5 * ten]);
const DAY_STEPS = [1, 2, 7, 14, 28, 91, 182, 364].map((days) => days * DAY_SECONDS);
const shortDay = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const dayName = (seconds: number) => shortDay.format(new Date(seconds * 1000));
const month = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** The shortest time after the start of a bucket at which it is over. */
const bucketDays: Record<Bucket, number> = { DAY: 1, WEEK: 7, MONTH: 28 };
const isUnderWay = (day: string, bucket: Bucket): boolean =>
  Date.now() - Date.parse(day) < bucketDays[bucket] * DAY_SECONDS * 1000;

/** Returns the name of a bucket, such as "Week of 2026-11-02". */
const bucketName = (day: string, bucket: Bucket): string =>
  (bucket === 'MONTH' ? month.format(new Date(day)) : bucket === 'WEEK' ? `Week of ${day}` : day) +
  (isUnderWay(day, bucket) ? ', so far' : '');

/** A chart of figures over time: values under the pointer, marks, and the same as a table. */
export function Chart(props: ChartProps) {
  const { title, days, lines, bucket = 'DAY', hasBars = false, marks = noMarks } = props;
  const element = useRef<HTMLDivElement>(null);
  const [isTableShown, setIsTableShown] = useState(false);
  useEffect(() => {
    const target = element.current;
    if (!target) return;
    const plot = createPlot(target, { title, days, lines, bucket, hasBars, marks });
    const observer = new ResizeObserver(() => plot.setSize({ width: target.clientWidth, height: HEIGHT }));
    observer.observe(target);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [title, days, lines, bucket, hasBars, marks]);
  return (
    <figure class="stack chart-figure">
      <figcaption class="row apart">
        <strong>{title}</strong>
        <span class="row">
          {lines.map(({ label, color }, index) => (
            <small key={label}>
              <span aria-hidden="true" style={{ color: `var(${color})` }}>
                {(hasBars ? '■□' : '━┅')[Math.min(index, 1)]}
              </span>{' '}
              {label}
            </small>
          ))}
        </span>
      </figcaption>
      <div class="chart" ref={element} aria-hidden="true" />
      <button
        type="button"
        class="link"
        aria-expanded={isTableShown}
        onClick={() => setIsTableShown(!isTableShown)}
      >
        {isTableShown ? 'Hide the table' : 'Show as a table'}
      </button>
      <FiguresTable {...props} bucket={bucket} marks={marks} isShown={isTableShown} />
    </figure>
  );
}

const noMarks: readonly Mark[] = [];

/** Returns the marks of each bucket. One after the start of the last bucket belongs to it. */
const marksOf = (days: readonly string[], marks: readonly Mark[]): readonly (readonly Mark[])[] =>
  days.map((day, index) => {
    const next = days[index + 1];
    return marks.filter((mark) => mark.day >= day && (next === undefined || mark.day < next));
  });

type FiguresTableProps = Required<Omit<ChartProps, 'hasBars'>> & { isShown: boolean };

/** Screen readers always have the table. */
const FiguresTable = ({ title, days, lines, bucket, marks, isShown }: FiguresTableProps) => {
  const marked = marksOf(days, marks);
  return (
    <div class={isShown ? 'scroll' : 'hidden'}>
      <table>
        <caption class="hidden">{title}</caption>
        <thead>
          <tr>
            <th>{bucket === 'DAY' ? 'Day' : bucket === 'WEEK' ? 'Week' : 'Month'}</th>
            {lines.map(({ label }) => (
              <th key={label} class="number">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day, index) => (
            <tr key={day}>
              <td>
                {bucketName(day, bucket)}
                {marked[index]?.map(({ label }) => (
                  <small key={label}> · {label}</small>
                ))}
              </td>
              {lines.map(({ label, values }) => (
                <td key={label} class="number">
                  {values[index]?.toLocaleString('en') ?? '–'}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

/** Returns the ends of the time axis with room for the halves of the first and the last bar. */
function roomForBars(min: number, max: number, count: number): uPlot.Range.MinMax {
  const half = count > 1 ? (max - min) / (count - 1) / 2 : DAY_SECONDS / 2;
  return [min - half, max + half];
}

const endOfAxis = (max: number) => (max > SMALL_COUNT ? max * 1.1 : Math.max(4, Math.ceil(max)));

/** Bars, or two beside each other, the second ones hollow. */
const barsOf = (index: number, color: string, isAlone: boolean): Partial<uPlot.Series> => ({
  width: 1,
  dash: [],
  fill: index === 0 ? color : 'transparent',
  paths: isAlone
    ? uPlot.paths.bars!({ size: [0.6, 28] })
    : uPlot.paths.bars!({ size: [0.35, 18], align: index === 0 ? -1 : 1 }),
  points: { show: false },
});

/** A line as it is drawn. The part to a bucket that is not over is dotted, so that it does not look like a fall. */
function partsOf(lines: ChartProps['lines'], isLastOpen: boolean) {
  return lines.flatMap(({ values, ...line }, index) => {
    const dash = index > 0 ? [6, 6] : [];
    if (!isLastOpen) return [{ ...line, index, values, dash }];
    const rest = values.map((value, at) => (at < values.length - 2 ? null : value));
    return [
      { ...line, index, values: values.with(-1, null), dash },
      { ...line, index, values: rest, dash: [2, 5] },
    ];
  });
}

function createPlot(
  target: HTMLElement,
  { days, lines, bucket, hasBars, marks }: Required<ChartProps>,
): uPlot {
  const style = getComputedStyle(document.documentElement);
  // A canvas knows no variables of style sheets, and no light-dark().
  const colorOf = (variable: string) => resolved(target, style.getPropertyValue(variable));
  const axis = {
    stroke: colorOf('--soft'),
    grid: { stroke: colorOf('--line'), width: 1 },
    ticks: { show: false },
  };
  const marked = marksOf(days, marks);
  const textsOf = (index: number) => [
    bucketName(days[index] ?? '', bucket),
    ...lines.map(({ label, values }) => `${label}: ${values[index]?.toLocaleString('en') ?? '–'}`),
    ...(marked[index] ?? []).map(({ label }) => label),
  ];
  const parts = partsOf(lines, !hasBars && days.length > 2 && isUnderWay(days.at(-1)!, bucket));
  return new uPlot(
    {
      width: target.clientWidth || 600,
      height: HEIGHT,
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false } },
      plugins: [tooltipPlugin(textsOf), marksPlugin(marked, colorOf('--text'))],
      padding: [20, null, 0, null],
      scales: {
        y: { range: (_, __, max) => [0, endOfAxis(max)] },
        ...(hasBars && { x: { range: (_, min, max) => roomForBars(min, max, days.length) } }),
      },
      // Days begin at midnight UTC, and no bucket is shorter than a day.
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      axes: [
        {
          ...axis,
          incrs: DAY_STEPS,
          size: X_AXIS_HEIGHT,
          space: 70,
          values: (_, times) => times.map(dayName),
        },
        { ...axis, size: 48, incrs: COUNT_STEPS },
      ],
      series: [
        {},
        ...parts.map(({ label, color, index, dash }) => ({
          label,
          stroke: colorOf(color),
          width: 2,
          // The line below shows through where both are equal.
          dash,
          points: { show: days.length < 3 },
          ...(hasBars && barsOf(index, colorOf(color), lines.length === 1)),
        })),
      ],
    },
    [
      days.map((day) => Date.parse(day) / 1000),
      // A bar of nothing would be a line on the axis.
      ...parts.map(({ values }) => values.map((value) => (hasBars && value === 0 ? null : value))),
    ] as uPlot.AlignedData,
    target,
  );
}

function resolved(parent: HTMLElement, color: string): string {
  const probe = document.createElement('span');
  probe.style.color = color;
  parent.append(probe);
  const value = getComputedStyle(probe).color;
  probe.remove();
  return value;
}

import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';

interface ChartProps {
  title: string;
  /** Days such as `2026-01-31`, oldest first. */
  days: readonly string[];
  lines: readonly { label: string; values: readonly (number | null)[]; color: string }[];
}

const HEIGHT = 220;

/** A chart of daily figures. Screen readers get a table with the same figures. */
export function Chart({ title, days, lines }: ChartProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const target = element.current;
    if (!target) return;
    const plot = createPlot(target, days, lines);
    const observer = new ResizeObserver(() => plot.setSize({ width: target.clientWidth, height: HEIGHT }));
    observer.observe(target);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [days, lines]);
  return (
    <figure class="stack" style={{ margin: 0 }}>
      <figcaption class="row apart">
        <strong>{title}</strong>
        <span class="row">
          {lines.map(({ label, color }, index) => (
            <small key={label}>
              <span aria-hidden="true" style={{ color: `var(${color})` }}>
                {index === 0 ? '━' : '┅'}
              </span>{' '}
              {label}
            </small>
          ))}
        </span>
      </figcaption>
      <div class="chart" ref={element} aria-hidden="true" />
      <FiguresTable title={title} days={days} lines={lines} />
    </figure>
  );
}

const FiguresTable = ({ title, days, lines }: ChartProps) => (
  <div class="hidden">
    <table>
      <caption>{title}</caption>
      <thead>
        <tr>
          <th>Day</th>
          {lines.map(({ label }) => (
            <th key={label}>{label}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.map((day, index) => (
          <tr key={day}>
            <td>{day}</td>
            {lines.map(({ label, values }) => (
              <td key={label}>{values[index] ?? '–'}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

function createPlot(target: HTMLElement, days: readonly string[], lines: ChartProps['lines']): uPlot {
  const style = getComputedStyle(document.documentElement);
  // A canvas knows no variables of style sheets, and no light-dark().
  const colorOf = (variable: string) => resolved(target, style.getPropertyValue(variable));
  const axis = {
    stroke: colorOf('--soft'),
    grid: { stroke: colorOf('--line'), width: 1 },
    ticks: { show: false },
  };
  return new uPlot(
    {
      width: target.clientWidth || 600,
      height: HEIGHT,
      legend: { show: false },
      cursor: { show: false },
      scales: { y: { range: (_, __, max) => [0, Math.max(5, max * 1.1)] } },
      axes: [axis, { ...axis, size: 48 }],
      series: [
        {},
        ...lines.map(({ label, color }, index) => ({
          label,
          stroke: colorOf(color),
          width: 2,
          // The line below shows through where both are equal.
          ...(index > 0 && { dash: [6, 6] }),
          points: { show: days.length < 3 },
        })),
      ],
    },
    [
      days.map((day) => Date.parse(day) / 1000),
      ...lines.map(({ values }) => [...values]),
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

import type uPlot from 'uplot';

const DISTANCE = 12;

/** Shows the values of the bucket under the pointer; `textsOf` returns its lines. */
export function tooltipPlugin(textsOf: (index: number) => readonly string[]): uPlot.Plugin {
  const tip = document.createElement('div');
  tip.className = 'chart-tip';
  tip.hidden = true;
  const lineOf = (text: string) => {
    const line = document.createElement('div');
    line.textContent = text;
    return line;
  };
  return {
    hooks: {
      init: (plot) => plot.over.append(tip),
      setCursor: ({ cursor: { idx, left = -1 }, over }) => {
        tip.hidden = idx == null || left < 0;
        if (idx == null || tip.hidden) return;
        tip.replaceChildren(...textsOf(idx).map(lineOf));
        // On the side with more room, so that it is never cut off.
        const isRight = left > over.clientWidth / 2;
        tip.style.left = isRight ? '' : `${left + DISTANCE}px`;
        tip.style.right = isRight ? `${over.clientWidth - left + DISTANCE}px` : '';
      },
    },
  };
}

const LABEL_WIDTH = 90;

/** Draws a line for each bucket in which something happened, with its name above where there is room. */
export const marksPlugin = (
  marked: readonly (readonly { label: string }[])[],
  color: string,
): uPlot.Plugin => ({
  hooks: {
    draw: (plot) => {
      const { ctx, bbox, data } = plot;
      const ratio = devicePixelRatio;
      ctx.save();
      ctx.strokeStyle = color;
      ctx.fillStyle = color;
      ctx.font = `${12 * ratio}px system-ui, sans-serif`;
      ctx.setLineDash([2 * ratio, 3 * ratio]);
      let free = 0;
      marked.forEach((marks, index) => {
        if (marks.length === 0) return;
        const x = Math.round(plot.valToPos(data[0][index]!, 'x', true));
        ctx.beginPath();
        ctx.moveTo(x, bbox.top);
        ctx.lineTo(x, bbox.top + bbox.height);
        ctx.stroke();
        if (x < free) return;
        const isLast = x + LABEL_WIDTH * ratio > bbox.left + bbox.width;
        ctx.textAlign = isLast ? 'right' : 'left';
        ctx.fillText(marks.at(-1)!.label, x + (isLast ? -4 : 4) * ratio, bbox.top - 6 * ratio);
        free = x + LABEL_WIDTH * ratio;
      });
      ctx.restore();
    },
  },
});

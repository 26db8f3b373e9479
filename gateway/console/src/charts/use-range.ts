// Selects a range in a chart by dragging. Keyboard users select days with the page's day filter instead.

import type { EChartsType } from "echarts/core";
import { type PointerEvent, useState } from "react";

/** Minimum distance of a drag in pixels; anything shorter is a click. */
const dragMin = 8;

interface Drag {
  readonly from: number;
  readonly to: number;
}

/** Calls `onRange` after a drag, with the indices of the first and last selected category. */
export function useRange(chart: EChartsType | undefined, onRange: ((from: number, to: number) => void) | undefined) {
  const [drag, setDrag] = useState<Drag>();
  if (chart === undefined || onRange === undefined) return { handlers: {}, selected: undefined };
  const getX = ({ currentTarget, clientX }: PointerEvent) => clientX - currentTarget.getBoundingClientRect().left;
  const indexOf = (x: number) => Number(chart.convertFromPixel({ xAxisIndex: 0 }, x));
  const handlers = {
    onPointerDown(event: PointerEvent) {
      if (event.button !== 0 || event.pointerType === "touch") return;
      const x = getX(event);
      setDrag({ from: x, to: x });
    },
    onPointerMove(event: PointerEvent) {
      if (drag === undefined) return;
      // Capture the pointer only for drags, because the chart itself handles a click on a point.
      if (Math.abs(getX(event) - drag.from) >= dragMin) event.currentTarget.setPointerCapture(event.pointerId);
      setDrag({ ...drag, to: getX(event) });
    },
    onPointerUp() {
      if (drag === undefined) return;
      setDrag(undefined);
      const [left, right] = [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)];
      if (right - left >= dragMin) onRange(indexOf(left), indexOf(right));
    },
    onPointerCancel: () => setDrag(undefined),
  };
  const isDragged = drag !== undefined && Math.abs(drag.to - drag.from) >= dragMin;
  const selected = isDragged ? { left: Math.min(drag.from, drag.to), width: Math.abs(drag.to - drag.from) } : undefined;
  return { handlers, selected };
}

import type { EChartsType } from "echarts/core";
import { save } from "../ui/csv/save.ts";

export function savePng(chart: EChartsType, name: string): void {
  const backgroundColor = getComputedStyle(document.body).backgroundColor;
  const canvas = chart.renderToCanvas({ pixelRatio: 2, backgroundColor });
  canvas.toBlob((blob) => blob !== null && save(`${name}.png`, blob), "image/png");
}

// Files that the browser makes.

import type { EChartsType } from "echarts/core";

export function save(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // After the browser has begun to read it.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export function savePng(chart: EChartsType, name: string): void {
  const backgroundColor = getComputedStyle(document.body).backgroundColor;
  const canvas = chart.renderToCanvas({ pixelRatio: 2, backgroundColor });
  canvas.toBlob((blob) => blob !== null && save(`${name}.png`, blob), "image/png");
}

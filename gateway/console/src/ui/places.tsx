// Controls that move through a queue one item at a time, with buttons or the keys j and k.

import { Button } from "@mantine/core";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { usePageKeys } from "./use-page-keys.ts";

interface PlacesProps {
  /** Index of the displayed item, from 0. */
  readonly at: number;
  readonly total: number;
  readonly onShow: (at: number) => void;
}

export function Places({ at, total, onShow }: PlacesProps) {
  const [isFirst, isLast] = [at === 0, at + 1 >= total];
  const previous = () => !isFirst && onShow(at - 1);
  const next = () => !isLast && onShow(at + 1);
  usePageKeys([
    ["j", next],
    ["k", previous],
  ]);
  return (
    <>
      <Button variant="default" leftSection={<ChevronLeft size={14} />} disabled={isFirst} onClick={previous}>
        Previous
      </Button>
      <Button variant="default" rightSection={<ChevronRight size={14} />} disabled={isLast} onClick={next}>
        Next
      </Button>
    </>
  );
}

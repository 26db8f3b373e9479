import { FileInput, type FileInputProps } from "@mantine/core";
import { type DragEvent, useState } from "react";
import classes from "./file-field.module.css";

interface FileFieldProps extends Omit<FileInputProps<false>, "onChange" | "multiple"> {
  readonly onChange: (file: File | null) => void;
}

/** Field for a file, which is chosen or dropped on it. */
export function FileField({ onChange, ...props }: FileFieldProps) {
  const [isOver, setOver] = useState(false);
  const onDragOver = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    setOver(true);
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file !== undefined) onChange(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the field inside is the accessible way to choose a file.
    <div
      className={classes.field}
      data-over={isOver || undefined}
      onDragOver={onDragOver}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <FileInput {...props} onChange={onChange} />
    </div>
  );
}

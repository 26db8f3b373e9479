// Saves files in the browser.

export function save(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Revoke the URL later, because the browser must first have started to read the file.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

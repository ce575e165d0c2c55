/** Files that come by the clipboard or by drag and drop. */

/** The files of a transfer. A folder is none: its contents could not be uploaded. */
export function transferredFiles({ items }: DataTransfer): File[] {
  return [...items].flatMap((item) => {
    if (item.kind !== 'file' || item.webkitGetAsEntry()?.isDirectory === true) return [];
    const file = item.getAsFile();
    return file === null ? [] : [file];
  });
}

/** The pasted files; none for formatted text, to which office programs add a picture of it. */
export function pastedFiles(data: DataTransfer): File[] {
  const is_text = data.types.includes('text/plain') && data.types.includes('text/html');
  return is_text ? [] : transferredFiles(data);
}

/** Whether something is dragged here from this page itself, such as a picture of a chat. */
let is_own = false;

/** Whether files of the device are being dragged. */
export function isFileDrag({ dataTransfer }: DragEvent): boolean {
  return !is_own && dataTransfer?.types.includes('Files') === true;
}

/** Keeps a file that is dropped beside all drop zones from replacing the page. */
function ignoreStrayDrops(): void {
  const ignore = (event: DragEvent) => {
    if (event.defaultPrevented || !isFileDrag(event)) return;
    if (event.target instanceof HTMLInputElement && event.target.type === 'file') return;
    event.preventDefault();
    if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'none';
  };
  addEventListener('dragover', ignore);
  addEventListener('drop', ignore);
  addEventListener('dragstart', () => {
    is_own = true;
  });
  addEventListener('dragend', () => {
    is_own = false;
  });
}

// Once, with the first composer or, on other pages, when the processor is idle.
ignoreStrayDrops();

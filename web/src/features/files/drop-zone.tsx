import { FileUp } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import './drop-zone.css';
import { isFileDrag, transferredFiles } from './transferred-files.ts';

interface DropZoneProps {
  /** What a drop does: "Drop files to send to Ben". */
  label: string;
  onFiles: (files: readonly File[]) => void;
}

/** Lets files be dropped on the element around it, which it covers while files are dragged over that. */
export function DropZone({ label, onFiles }: DropZoneProps) {
  const zone = useRef<HTMLDivElement>(null);
  const [is_over, setOver] = useState(false);
  const take = useRef(onFiles);
  take.current = onFiles;
  useEffect(() => {
    const area = zone.current?.parentElement;
    area?.setAttribute('data-drop-area', '');
    const until = new AbortController();
    const { signal } = until;
    const accept = (event: DragEvent) => {
      if (!isFileDrag(event)) return;
      event.preventDefault();
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'copy';
      setOver(true);
    };
    area?.addEventListener('dragenter', accept, { signal });
    area?.addEventListener('dragover', accept, { signal });
    const leave = ({ relatedTarget }: DragEvent) => {
      if (!(relatedTarget instanceof Node && area?.contains(relatedTarget))) setOver(false);
    };
    area?.addEventListener('dragleave', leave, { signal });
    const drop = (event: DragEvent) => {
      if (!isFileDrag(event) || event.dataTransfer === null) return;
      event.preventDefault();
      setOver(false);
      const files = transferredFiles(event.dataTransfer);
      if (files.length > 0) take.current(files);
    };
    area?.addEventListener('drop', drop, { signal });
    return () => {
      until.abort();
      area?.removeAttribute('data-drop-area');
    };
  }, []);
  return (
    // Dragging needs a pointer and sight; others attach files with the button.
    <div ref={zone} className="drop-zone" hidden={!is_over} aria-hidden="true">
      <FileUp size={32} />
      <p>{label}</p>
    </div>
  );
}

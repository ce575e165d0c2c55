import { PictureInPicture2 } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { showToast } from '../../ui/overlay/toast.tsx';
import { i18n } from '../../i18n/i18n.ts';

/** The largest video of others on the stage, for Picture-in-Picture. */
function largestVideo(): HTMLVideoElement | undefined {
  const of_others = '.tiles video:not([data-lk-local-participant="true"])';
  const videos = [...document.querySelectorAll<HTMLVideoElement>(of_others)];
  const areaOf = ({ clientWidth, clientHeight }: HTMLVideoElement) => clientWidth * clientHeight;
  return videos.sort((one, other) => areaOf(other) - areaOf(one))[0];
}

async function togglePictureInPicture(): Promise<void> {
  try {
    if (document.pictureInPictureElement !== null) return await document.exitPictureInPicture();
    const video = largestVideo();
    if (video === undefined) showToast(i18n.t('No one else is showing video right now.'));
    else await video.requestPictureInPicture();
  } catch {
    showToast(i18n.t('Your browser couldn’t open picture in picture.'));
  }
}

/** Shows a video in a Picture-in-Picture window, where the browser supports it. */
export function PictureInPictureItem() {
  if (document.pictureInPictureEnabled !== true) return null;
  return (
    <DropdownMenu.Item className="menu-item" onSelect={() => void togglePictureInPicture()}>
      <PictureInPicture2 aria-hidden="true" />
      {i18n.t('Picture in picture')}
    </DropdownMenu.Item>
  );
}

/** A window of the web client in a service with the sample data. */
import type { Page } from 'playwright-core';
import type { Service } from '../running/running-service.ts';
import { signInAs } from './gallery-pictures.ts';
import { fillService, gallery_day, type SampleData } from './sample-data.ts';
import type { BrowserWindows, sizes } from './windows.ts';

/** Starts a service with the sample data, and opens a window there in which Ada is signed in, on the day of the data. */
export async function openSampleWindow(
  windows: BrowserWindows,
  size: keyof typeof sizes,
): Promise<{ service: Service; sample: SampleData; page: Page }> {
  const service = await windows.startService();
  const sample = await fillService(service);
  const page = await windows.open(size);
  await page.clock.setFixedTime(new Date(gallery_day));
  await signInAs(service, page, 'ada');
  return { service, sample, page };
}

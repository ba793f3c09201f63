import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { zoo } from '../../test/support/contact-file-zoo.ts';
import { startConsoleService } from '../../test/support/console-service.ts';
import { startConsoleWorld, type ConsoleWorld } from '../../test/support/console.ts';

/**
 * Pictures of what the console shows after the upload of each kind of ugly contact file, in
 * `.parlance/screenshots/contact-files`.
 */
const folder = join(import.meta.dirname, '../../.parlance/screenshots/contact-files');

mkdirSync(folder, { recursive: true });
const service = await startConsoleService();
try {
  const world = await startConsoleWorld({ service, mark: '' });
  try {
    for (const [name, [{ file }]] of Object.entries(zoo)) await takePicture(world, name, await file);
  } finally {
    await world.close();
  }
} finally {
  await service.stop();
}

async function takePicture(world: ConsoleWorld, name: string, content: Uint8Array | string): Promise<void> {
  const { page, settled, close } = await world.open('/contacts', { width: 1280, height: 800 });
  try {
    const buffer = Buffer.from(content);
    const fileName = `${name.replaceAll(/[^\w.]+/g, '-')}.${buffer.subarray(0, 2).toString() === 'PK' ? 'xlsx' : 'csv'}`;
    await page.locator('input[type="file"]').first().setInputFiles({ name: fileName, mimeType: '', buffer });
    await page.getByRole('grid').or(page.getByRole('alert')).first().waitFor();
    await settled();
    await page.screenshot({ path: join(folder, `${fileName}.png`) });
  } catch (error) {
    process.stderr.write(`${name}: ${String(error).slice(0, 300)}\n`);
  } finally {
    await close();
  }
}

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { serveFolder } from './gallery-server.ts'
import { root } from './run.ts'

/** For Playwright: the gallery, built when its sources have changed, on an address that tests find in MASTHEAD_E2E_GALLERY_URL. */
export default async function startGallery() {
  const { status } = spawnSync(process.execPath, [join(root, 'tools/ensure-console.mjs'), '--gallery'], { stdio: 'inherit' })
  if (status !== 0) throw new Error('The gallery is not built, see above')
  const { url, stop } = await serveFolder(join(root, 'apps/console/dist-gallery'))
  process.env.MASTHEAD_E2E_GALLERY_URL = url
  return stop
}

import { formatBytes } from '@masthead/contract/usage/bytes'
import type { App } from '../kernel/app.ts'
import { checkRegistry } from './content/clean-up.ts'

/** Whether every byte of the registry is what its digest says, in words. */
export async function registryCheck(app: Pick<App, 'db' | 'blobs'>): Promise<{ right: boolean; words: string }> {
  const { blobs, bytes, manifests, wrong } = await checkRegistry(app)
  const read = `${blobs.toLocaleString('en')} blobs with ${formatBytes(bytes)} and ${manifests.toLocaleString('en')} manifests were read`
  if (wrong.length === 0) return { right: true, words: `${read}: each is what its digest says.` }
  const lines = wrong.map(({ digest, why }) => `  ${digest}: ${why}`)
  return {
    right: false,
    words: [`${read}. ${wrong.length} are not what their digest says:`, ...lines, 'Push these again, or restore them from a copy.'].join(
      '\n'
    ),
  }
}

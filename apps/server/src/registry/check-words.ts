import { formatBytes } from '@masthead/contract/usage/bytes'
import type { App } from '../kernel/app.ts'
import { checkRegistry } from './content/check-registry.ts'

/** Whether every byte of the registry is what its digest says, in words. */
export async function registryCheck(app: Pick<App, 'db' | 'blobs' | 'clock'>): Promise<{ right: boolean; words: string }> {
  const { blobs, bytes, manifests, wrong } = await checkRegistry(app)
  const read = `${blobs.toLocaleString('en')} blobs with ${formatBytes(bytes)} and ${manifests.toLocaleString('en')} manifests were read`
  if (wrong.length === 0) return { right: true, words: `${read}: each is what its digest says.` }
  const lines = wrong.map(
    ({ digest, why, repositories }) => `  ${digest}: ${why}${repositories.length > 0 ? ` (in ${repositories.join(', ')})` : ''}`
  )
  return {
    right: false,
    words: [
      `${read}. ${wrong.length === 1 ? 'One is not what its digest says' : `${wrong.length} are not what their digest says`}:`,
      ...lines,
      'What is damaged is given to nobody from now on. Push these again, which replaces them; or restore them from a copy, and check again.',
    ].join('\n'),
  }
}

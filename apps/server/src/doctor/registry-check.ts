import type { Config } from '../kernel/config.ts'
import { ok, warn } from './finding.ts'

type Settings = Pick<Config, 'publicUrl' | 'basePath'> & { integrations: Pick<Config['integrations'], 'registryHost'> }

/** Whether clients of the registry, which know no paths, find it at the root of the host of a public address that has one. */
export async function checkRegistry({ publicUrl, basePath, integrations }: Settings) {
  if (integrations.registryHost) return ok(`They are in the registry ${integrations.registryHost}`)
  if (!publicUrl || !basePath) return ok('Docker finds the registry at the address of the console')
  const place = `${new URL(publicUrl).origin}/v2/`
  const wayOut = `Have the proxy hand ${place} on to Masthead as well: docker knows no paths`
  try {
    const { headers } = await fetch(place, { redirect: 'manual', signal: AbortSignal.timeout(5000) })
    // Another registry says the same of its kind, and sends elsewhere for a token.
    const ours = (headers.get('www-authenticate') ?? '').includes(`${basePath}/v2/token`)
    return ours ? ok(`Docker finds the registry at ${place}`) : warn(`What answers at ${place} is not this registry`, wayOut)
  } catch (error) {
    const { message, cause } = error as Error & { cause?: Error }
    return warn(`${place} could not be asked from here: ${cause?.message ?? message}`, wayOut)
  }
}

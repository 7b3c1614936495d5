import type { ComponentType } from 'react'

// spec §9
const chunkTimeout = 120_000

/** A screen's module, or a ChunkLoadError when it does not come (spec §8): mostly a new version was installed meanwhile. */
export async function loadScreen(load: () => Promise<{ default: ComponentType }>): Promise<ComponentType> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('it took too long')), chunkTimeout)
  })
  try {
    return (await Promise.race([load(), late])).default
  } catch (cause) {
    const error = new Error('This screen could not be loaded', { cause })
    error.name = 'ChunkLoadError'
    throw error
  } finally {
    clearTimeout(timer)
  }
}

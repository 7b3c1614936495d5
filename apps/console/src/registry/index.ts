// What other areas may use of the registry.
export { platformsWords, registryHost } from './registry-words.ts'

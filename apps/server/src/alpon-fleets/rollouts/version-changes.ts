import type { Content } from '../../devices/agent/index.ts'

const fields = [
  ['image', 'image'],
  ['ports', 'ports'],
  ['volumes', 'volumes'],
  ['environment', 'variables'],
  ['restart_policy', 'restart policy'],
  ['health', 'health check'],
] as const

/** What differs between two versions, in words: of secrets only that they differ. */
export function changesBetween(before: Content, after: Content): string[] {
  const names = [...new Set([...before.containers, ...after.containers].map(({ name }) => name))].toSorted()
  return names.flatMap((name) => {
    const [was, is] = [before, after].map(({ containers }) => containers.find((each) => each.name === name))
    if (!was) return [`${name} added: ${is!.image}`]
    if (!is) return [`${name} removed`]
    const changed = fields.flatMap(([field, words]) => {
      const isSame = JSON.stringify(was[field]) === JSON.stringify(is[field])
      if (isSame && !(field === 'environment' && JSON.stringify(before.secrets[name]) !== JSON.stringify(after.secrets[name]))) return []
      return [field === 'image' ? `${name}: image ${was.image} to ${is.image}` : `${name}: other ${words}`]
    })
    return changed
  })
}

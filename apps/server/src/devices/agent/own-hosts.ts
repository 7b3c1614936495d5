import type { Config } from '../../kernel/config.ts'

type Named = Pick<Config, 'publicUrl'> & { integrations: Pick<Config['integrations'], 'registryHost'> }

/** The names by which devices reach the registry of this installation, in small letters, without a port; null: none is configured, so it may be any. */
export type OwnHosts = readonly string[] | null

/** Whether an image names a registry before its first slash; `acme/relay` is one of Docker Hub. */
const hasHost = (image: string): boolean => /^(localhost|[^/]*[.:][^/]*)\//i.test(image)

/** In small letters, without the port. */
export const nameOf = (host: string) => host.toLowerCase().replace(/:\d+$/, '')

/** Whether an image is of the registry of this installation: by one of its names, or by an address, which is nobody's name. */
export function isOwnImage(image: string, hosts: OwnHosts): boolean {
  if (!hasHost(image)) return false
  const name = nameOf(image.slice(0, image.indexOf('/')))
  return hosts === null || name === 'localhost' || hosts.includes(name) || /^(\d{1,3}\.){3}\d{1,3}$/.test(name)
}

export function ownHosts({ publicUrl, integrations: { registryHost } }: Named): OwnHosts {
  const names = [registryHost, publicUrl && new URL(publicUrl).host].flatMap((host) => (host ? [nameOf(host)] : []))
  return names.length === 0 ? null : names
}

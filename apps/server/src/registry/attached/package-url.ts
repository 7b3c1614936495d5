/** A package as advisories know it. All empty: they do not, or its URL does not say enough. */
export type InEcosystem = { ecosystem: string; ecosystem_name: string; ecosystem_version: string }

const nowhere: InEcosystem = { ecosystem: '', ecosystem_name: '', ecosystem_version: '' }

/** Kinds of package URLs that advisories know by one name. */
const ecosystems: Record<string, string> = {
  npm: 'npm',
  pypi: 'PyPI',
  golang: 'Go',
  cargo: 'crates.io',
  gem: 'RubyGems',
  nuget: 'NuGet',
  maven: 'Maven',
  composer: 'Packagist',
  hex: 'Hex',
  pub: 'Pub',
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The character that no text of the database can hold, as a URL has it. */
const nul = /%00/

/** What a package URL (`pkg:deb/debian/libssl3@3.0.15-1?distro=debian-12&upstream=openssl`) is for advisories. */
export function inEcosystem(purl: string, version: string, source: [string, string] = ['', '']): InEcosystem {
  const [, type = '', path = '', at, query = ''] = /^pkg:\/*([a-z0-9.+-]+)\/(@?[^@?#]+)(?:@([^?#]*))?(?:\?([^#]*))?/i.exec(purl) ?? []
  if (type === '' || nul.test(purl)) return nowhere
  const parts = path.split('/').filter(Boolean).map(decode)
  const qualifiers = new URLSearchParams(query)
  const own = { name: parts.at(-1)!, group: parts.slice(0, -1).join('/'), version: at === undefined ? version : decode(at) }
  const kind = type.toLowerCase()
  if (kind === 'deb' || kind === 'apk') return ofDistribution(kind, own, qualifiers, source)
  const ecosystem = ecosystems[kind]
  return ecosystem === undefined ? nowhere : { ecosystem, ecosystem_name: nameIn(ecosystem, own), ecosystem_version: own.version }
}

type Own = { name: string; group: string; version: string }

function nameIn(ecosystem: string, { name, group }: Own): string {
  if (ecosystem === 'PyPI') return normalPyPi(name)
  if (ecosystem === 'Maven') return `${group}:${name}`
  return group === '' ? name : `${group}/${name}`
}

/** As PyPI names them itself (PEP 503). */
const normalPyPi = (name: string) => name.toLowerCase().replaceAll(/[-_.]+/g, '-')

/** Of Debian and Alpine, advisories are about the source package, in one release. */
function ofDistribution(
  kind: 'deb' | 'apk',
  { name, group, version }: Own,
  qualifiers: URLSearchParams,
  [besideName, besideVersion]: [string, string]
): InEcosystem {
  const [, release = ''] = /^[a-z]+-(\d+(?:\.\d+)?)/.exec(qualifiers.get('distro') ?? '') ?? []
  const debian = kind === 'deb' && group === 'debian'
  if (release === '' || !(debian || (kind === 'apk' && group === 'alpine'))) return nowhere
  const [source, sourceVersion] = (qualifiers.get('upstream') ?? '').split('@')
  return {
    ecosystem: debian ? `Debian:${release.split('.')[0]}` : `Alpine:v${release}`,
    ecosystem_name: source || besideName || name,
    ecosystem_version: sourceVersion || (source ? '' : besideVersion) || version,
  }
}

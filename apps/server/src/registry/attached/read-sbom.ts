import { mostPackages, type Sbom } from '@masthead/contract/registry/sbom'
import { inEcosystem, type InEcosystem } from './package-url.ts'
import { listOf, objectOf, parseJson } from './read-signed.ts'

export type ReadPackage = { name: string; version: string; purl: string; licence: string } & InEcosystem
export type ReadSbom = Pick<Sbom, 'format' | 'format_version' | 'made_by'> & {
  /** The first of them. */ packages: ReadPackage[]
  total: number
}

const longest = 500
const deepest = 20

/** What the database takes: no NUL, no half characters. */
const textOf = (value: unknown) => (typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed().slice(0, longest) : '')

/** A list of parts in JSON, of SPDX 2 or CycloneDX. Null: it is none. */
export function readSbom(given: unknown): ReadSbom | null {
  const value = objectOf(given)
  // Some put the text of the list into the statement.
  if (typeof value.Data === 'string') return readSbom(parseJson(Buffer.from(value.Data)))
  if (typeof value.spdxVersion === 'string') return readSpdx(value)
  return value.bomFormat === 'CycloneDX' ? readCycloneDx(value) : null
}

function readSpdx({ spdxVersion, creationInfo, packages }: Record<string, unknown>): ReadSbom {
  const creators = listOf(objectOf(creationInfo).creators).map(textOf)
  const all = listOf(packages)
  return {
    format: 'spdx',
    format_version: textOf(spdxVersion).replace(/^SPDX-/, ''),
    made_by: (creators.find((each) => each.startsWith('Tool:')) ?? creators[0] ?? '').replace(/^\w+:\s*/, ''),
    total: all.length,
    packages: all.slice(0, mostPackages).map((each) => {
      const { name, versionInfo, licenseConcluded, licenseDeclared, externalRefs, sourceInfo } = objectOf(each)
      const purl = listOf(externalRefs)
        .map(objectOf)
        .find(({ referenceType }) => referenceType === 'purl')
      // As trivy says it.
      const [, source = '', sourceVersion = ''] = /^built package from: (\S+)(?: (\S+))?/.exec(textOf(sourceInfo)) ?? []
      const licence = [licenseConcluded, licenseDeclared].map(textOf).find(isSaid) ?? ''
      return packageOf(name, versionInfo, purl?.referenceLocator, licence, [source, sourceVersion])
    }),
  }
}

const isSaid = (licence: string) => !['', 'NOASSERTION', 'NONE'].includes(licence)

function readCycloneDx({ specVersion, metadata, components }: Record<string, unknown>): ReadSbom {
  const { tools } = objectOf(metadata)
  const [tool] = Array.isArray(tools) ? listOf(tools) : listOf(objectOf(tools).components)
  const all = [...flat(components, 0)]
  return {
    format: 'cyclonedx',
    format_version: textOf(specVersion),
    made_by: [objectOf(tool).name, objectOf(tool).version].map(textOf).filter(Boolean).join(' '),
    total: all.length,
    packages: all.slice(0, mostPackages).map(({ group, name, version, purl, licenses, properties }) => {
      const whole = textOf(group) === '' ? textOf(name) : `${textOf(group)}/${textOf(name)}`
      const said = (what: string) =>
        textOf(
          listOf(properties)
            .map(objectOf)
            .find((each) => each.name === `aquasecurity:trivy:${what}`)?.value
        )
      const [sourceVersion, release] = [said('SrcVersion'), said('SrcRelease')]
      return packageOf(whole, version, purl, licencesOf(licenses), [said('SrcName'), [sourceVersion, release].filter(Boolean).join('-')])
    }),
  }
}

/** Parts of parts, too; files are none. */
function* flat(components: unknown, depth: number): Generator<Record<string, unknown>> {
  for (const each of listOf(components).map(objectOf)) {
    if (each.type !== 'file') yield each
    if (depth < deepest) yield* flat(each.components, depth + 1)
  }
}

const licencesOf = (licences: unknown): string =>
  listOf(licences)
    .slice(0, 20)
    .map((each) => {
      const { expression, license } = objectOf(each)
      const { id, name } = objectOf(license)
      return [expression, id, name].map(textOf).find((text) => text !== '') ?? ''
    })
    .filter(isSaid)
    .join(', ')
    .slice(0, longest)

/** `source`: what a package of a distribution was built from, where the list says it beside its URL. */
function packageOf(name: unknown, version: unknown, purl: unknown, licence: string, source: [string, string]): ReadPackage {
  const read = { name: textOf(name), version: textOf(version), purl: textOf(purl), licence }
  return { ...read, ...inEcosystem(read.purl, read.version, source) }
}

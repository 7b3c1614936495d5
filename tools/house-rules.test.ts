import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { eventKinds } from '@masthead/contract/events'
import { areaOf } from '@masthead/contract/kernel/operation'
import { permissions, staffPermissions } from '@masthead/contract/kernel/permission'
import * as signals from '@masthead/contract/signals'
import { describeApi } from '../apps/server/src/describe-api.ts'
import { routes } from '../apps/server/src/routes.ts'
import { checksumProblems } from './migration-checksums.ts'
import { root } from './run.ts'
import { readSource, sourceFiles } from './sources.ts'

// The rules of the house that a linter cannot see. A failure is a list of sentences that say where.
const files = sourceFiles()
const code = files.filter((path) => /\.(ts|tsx|mjs|sql|css)$/.test(path))
const text = files.filter((path) => !/\.(png|jpg|svg|ico|woff2|csv)$/.test(path) && path !== 'package-lock.json' && path !== 'LICENSE')
const isTest = (path: string) => /\.(test|e2e)\.tsx?$/.test(path)
const linesOf = (path: string) => readSource(path).trimEnd().split('\n')

describe('files', () => {
  test('have at most 300 lines', () => {
    expect(code.map((path) => `${path} has ${linesOf(path).length}`).filter((words) => Number(words.split(' ').at(-1)) > 300)).toEqual([])
  })

  test('of one folder are at most 25, tests aside', () => {
    // The design system and what all screens share are lists of pieces: there is no better order than the alphabet.
    const shared = /^apps\/console\/src\/(ui|kit|shell|api)$/
    const sources = /^(apps|packages)\/[^/]+\/src\//
    const folders = Map.groupBy(
      code.filter((path) => sources.test(path) && !isTest(path)),
      (path) => dirname(path)
    )
    const crowded = [...folders].filter(([folder, inside]) => !shared.test(folder) && inside.length > 25)
    const wayOut = 'move what belongs together into a folder inside it, named by its meaning'
    expect(crowded.map(([folder, inside]) => `${folder} has ${inside.length}: ${wayOut}`)).toEqual([])
  })

  test('are named after what they hold', () => {
    const forbidden =
      /(^|\/)(utils?|helpers?|common|misc|types|data|info)(\/|\.tsx?$)|(Manager|Service|Handler|-manager|-service|-handler)\.tsx?$/
    const shape = /^(([a-z0-9]+(-[a-z0-9]+)*)|([A-Z][A-Za-z0-9]*))(\.(test|e2e|config))?\.(tsx?|mjs|css)$/
    const named = code.filter((path) => !path.endsWith('.sql'))
    expect(named.filter((path) => forbidden.test(path) || !shape.test(basename(path)))).toEqual([])
  })
  test('declare no Manager, Service or Handler', () => {
    const declared = /\b(?:class|function|const|type|interface) ([A-Z]\w*(?:Manager|Service|Handler))\b/
    const found = code.filter((path) => /tsx?$/.test(path)).map((path) => [path, declared.exec(readSource(path))?.[1]] as const)
    expect(found.filter(([, name]) => name)).toEqual([])
  })
  test('leave nothing for later', () => {
    const later = new RegExp(['TO', 'DO|FIX', 'ME|X', 'XX'].join('')) // in pieces, or it would find itself
    expect(text.filter((path) => later.test(readSource(path)))).toEqual([])
  })
  test('name no machine and no package registry', () => {
    const machine = /(^|[\s'"`(=:])\/(home|Users|root|work)\/[\w.-]+|registry\.npmjs|npmmirror|verdaccio|artifactory/m
    expect(text.filter((path) => path !== 'tools/house-rules.test.ts' && machine.test(readSource(path)))).toEqual([])
  })
})

describe('the console', () => {
  test('brings areas in by import() alone, so that a screen is loaded when it is opened', () => {
    const area = /(?:^|\n)(?:import|export) [^;'"]*?from '\.\.?\/(?!kit\/|ui\/|api\/|shell\/)[\w-]+\/[^']+'/
    const above = files.filter((path) => /^apps\/console\/src\/(shell\/.*|[\w-]+)\.tsx?$/.test(path) && !isTest(path))
    expect(above.filter((path) => area.test(readSource(path)))).toEqual([])
  })

  test('shows failures with the number of their request (FailureWords, FailureNotice)', () => {
    const bare = /<(?:Notice|p)\b[^>]*>[^<]*\{[\w.]+\.detail\}/
    const made = /(?<!detail: )`[^`]*\$\{(?:error|failure)\.detail\}|(?:null : |words: )[\w.]+\.detail\b/
    const screens = files.filter((path) => /^apps\/console\/src\/.*\.tsx?$/.test(path) && !isTest(path))
    expect(screens.filter((path) => [bare, made].some((wrong) => wrong.test(readSource(path))))).toEqual([])
  })

  test('is as dark where the system asks for that as where somebody chose it', () => {
    const tokens = readSource('apps/console/src/tokens.css')
    const rules = ['[data-theme="dark"] {', ':root:not([data-theme]) {']
    const [chosen, asked] = rules.map((rule) => tokens.split(rule)[1]?.split('}')[0]?.trim())
    expect(chosen).toContain('--bg:')
    expect(asked).toBe(chosen)
  })
})

describe('tests', () => {
  test('look for words with expect.stringMatching in toMatchObject, which takes a bare pattern for an object that anything matches', () => {
    const bare = /toMatchObject\((?:(?!\n *[\])}]+\)|\)\n)[\s\S])*?(?:[:,] |\[)\/[^/*\s]/
    const wrong = ['toMatchObject({ detail: /gone/ })', 'toMatchObject({\n  code: 1,\n  detail: /gone/,\n})', 'toMatchObject([/gone/])']
    const right = ['toMatchObject({ detail: expect.stringMatching(/gone/) })', 'toMatchObject({ a: 1 })\nconst named = { name: /gone/ }']
    expect([...wrong, ...right].filter((words) => bare.test(words))).toEqual(wrong)
    const tests = files.filter((path) => /\.tsx?$/.test(path) && path !== 'tools/house-rules.test.ts')
    expect(tests.filter((path) => bare.test(readSource(path)))).toEqual([])
  })
})

describe('browser tests', () => {
  test('see the answers of the server alone: the network may fail, nothing is invented', () => {
    // Lost (`abort`), late (`continue` after a wait), lost on its way back (`loseAnswer`): those are faults of the network.
    const invented = /\bfulfill\b|routeFromHAR|routeWebSocket|addInitScript\([^)]*fetch|\.continue\([^)]*(postData|method|headers)/
    const tests = files.filter((path) => /^e2e\/.*\.ts$/.test(path))
    expect(tests.length).toBeGreaterThan(20)
    expect(tests.filter((path) => invented.test(readSource(path)))).toEqual([])
  })
})

describe('the API', () => {
  test('is described by openapi.json as it is (npm run openapi writes it)', () => {
    type Description = { paths: Record<string, Record<string, unknown>> }
    const now = JSON.parse(JSON.stringify(describeApi())) as Description
    const written = existsSync(join(root, 'openapi.json')) ? (JSON.parse(readSource('openapi.json')) as Description) : { paths: {} }
    const calls = ({ paths }: Description) =>
      Object.entries(paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, call]) => [`${method} ${path}`, JSON.stringify(call)] as const)
      )
    const then = new Map(calls(written))
    expect(
      calls(now)
        .filter(([name, call]) => then.get(name) !== call)
        .map(([name]) => name)
    ).toEqual([])
    expect(written).toEqual(now)
  })

  test('keeps the main points of .spectral.yaml, so that other programs read its description', () => {
    type Call = {
      operationId?: string
      description?: string
      summary?: string
      tags?: string[]
      parameters?: { in: string; name: string }[]
      responses: object
    }
    type Paths = Record<string, Record<string, Call>>
    type Described = { info: { contact?: object }; tags: { name: string }[]; servers: { url: string }[]; paths: Paths }
    const { info, tags, servers, paths } = JSON.parse(JSON.stringify(describeApi())) as Described
    expect(readSource('.spectral.yaml')).toMatch(/extends:\s*\[?\s*['"]?spectral:oas/)
    expect(info.contact).toBeDefined()
    expect(servers.filter(({ url }) => url.endsWith('/'))).toEqual([])
    const areas = new Set(tags.map(({ name }) => name))
    const calls = Object.entries(paths).flatMap(([path, item]) => Object.entries(item).map(([method, call]) => ({ path, method, call })))
    expect(calls.length).toBeGreaterThan(100)
    const wrong = calls.filter(({ path, call }) => {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const given = (call.parameters ?? []).filter((each) => each.in === 'path').map(({ name }) => name)
      const areKnown = call.tags?.length === 1 && call.tags.every((tag) => areas.has(tag))
      const isSaid = /^[^']+$/.test(call.summary ?? '') // With one kind of apostrophe: ’
      return !call.description || !isSaid || !areKnown || String(inPath.toSorted()) !== String(given.toSorted()) || path.endsWith('/')
    })
    expect(wrong.map(({ path, method }) => `${method} ${path}`)).toEqual([])
    const ids = calls.map(({ call }) => call.operationId)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.filter((id) => !id || !/^[\w.]+$/.test(id))).toEqual([])
  })

  test('asks for permissions that exist', () => {
    const known = new Set(['public', 'self', 'signed_in', ...Object.keys(permissions), ...Object.keys(staffPermissions)])
    expect(routes.filter(({ op }) => !known.has(op.access)).map(({ op }) => `${op.name}: ${op.access}`)).toEqual([])
  })

  test('is asked by the console with the permission of a call, or of its type where the call itself would make the start larger', () => {
    const names = Object.keys({ ...permissions, ...staffPermissions }).filter((name) => /[._]/.test(name))
    const named = new RegExp(
      String.raw`(?<!\b(?:accessOf|staffFor)<typeof \w+>\(|\baccess: )'(?:${names.join('|').replaceAll('.', '\\.')})'`
    )
    const wrong = ["if (!mayUser(user, 'assets.view')) return null", "(['usage.view', 'assets.view'] as const)", "    'registry.view'\n  )"]
    const right = ["accessOf<typeof listTags>('assets.view')", "Pick<typeof getUsage, 'access'> = { access: 'usage.view' }"]
    expect([...wrong, ...right].filter((words) => named.test(words))).toEqual(wrong)
    const asking = files.filter((path) => /^apps\/console\/src\/.*\.tsx?$/.test(path) && !isTest(path) && named.test(readSource(path)))
    expect(asking.map((path) => `${path} names a permission: give useMay the operation`)).toEqual([])
  })

  test('is said to be refused by one file, in the words of the permission that a call asks for', () => {
    const saying = files.filter((path) => /^apps\/console\/src\/.*\.tsx?$/.test(path) && /need the permission “/.test(readSource(path)))
    expect(saying).toEqual(['apps/console/src/kit/ActionButton.tsx'])
  })

  test('has every call once, in the area of its name', () => {
    const names = routes.map(({ op }) => op.name)
    const addresses = routes.map(({ op }) => `${op.method} ${op.path.replaceAll(/\{\w+\}/g, '{}')}`)
    for (const list of [names, addresses]) expect(list.filter((each, i) => list.indexOf(each) !== i)).toEqual([])
  })

  test('notifies open consoles in one place, of names that are declared', () => {
    const notifying = files.filter(
      (path) => /^apps\/server\/src\/.*\.ts$/.test(path) && !isTest(path) && /pg_notify\(/.test(readSource(path))
    )
    expect(notifying).toEqual(['apps/server/src/kernel/live/publish.ts'])
    const names = [...eventKinds.keys(), ...Object.values(signals).map(({ name }) => name)]
    expect(names.filter((each, i) => names.indexOf(each) !== i)).toEqual([])
  })

  test('has calls in every area that an event or a signal refreshes', () => {
    const areas = new Set(routes.map(({ op }) => areaOf(op)))
    const refreshed = [...eventKinds.values(), ...Object.values(signals)].flatMap((signal) => signal.refreshes)
    expect(refreshed.filter((area) => !areas.has(area))).toEqual([])
  })
})

describe('what is installed and stored', () => {
  test('a migration is never edited after it landed', () => expect(checksumProblems()).toEqual([]))

  test('the lock names no place to download from', () => {
    const { packages } = JSON.parse(readSource('package-lock.json')) as { packages: Record<string, { resolved?: string; link?: boolean }> }
    expect(Object.entries(packages).filter(([, { resolved, link }]) => resolved && !link)).toEqual([])
  })

  test('every package has one exact version everywhere', () => {
    const wanted = new Map<string, string>()
    const problems: string[] = []
    for (const path of files.filter((each) => basename(each) === 'package.json')) {
      const { dependencies, devDependencies, optionalDependencies } = JSON.parse(readSource(path)) as Record<string, Record<string, string>>
      for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })) {
        if (!/^\d/.test(version)) problems.push(`${path}: ${name} ${version} is not exact`)
        if ((wanted.get(name) ?? version) !== version) problems.push(`${path}: ${name} ${version}, elsewhere ${wanted.get(name)}`)
        wanted.set(name, version)
      }
    }
    expect(problems).toEqual([])
  })
})

/** Names in what is shipped that the shipped files set themselves. */
const given = new Set(['MASTHEAD_NAME', 'MASTHEAD_UPSTREAM'])

describe('documents', () => {
  test('start Node with the options of npm start', () => {
    const optionsOf = (words: string) => /node (--.*) apps\/server\/src\/main\.ts/.exec(words)?.[1]
    const unit = linesOf('deploy/systemd/masthead@.service').flatMap((line) => optionsOf(line) ?? [])
    const image = /^CMD (\[.*\])$/m.exec(readSource('deploy/container/Dockerfile'))![1]!
    const started = [...unit, optionsOf((JSON.parse(image) as string[]).join(' '))]
    expect(started).toEqual(started.map(() => optionsOf(readSource('package.json'))))
    expect(started).toHaveLength(2)
  })

  test('and what is shipped set variables that there are', () => {
    const known = new Set(
      [...readSource('docs/operations.md').matchAll(/^\| .*$/gm)].flatMap(([row]) => row.match(/`(MASTHEAD_\w+|DATABASE_\w+)`/g) ?? [])
    )
    const shipped = files.filter((path) => path.startsWith('deploy/') || path.startsWith('docs/operations/'))
    expect(shipped.length).toBeGreaterThan(15)
    const set = shipped.flatMap((path) =>
      [...readSource(path).matchAll(/\b((?:MASTHEAD|DATABASE)_[A-Z_]+)\b/g)]
        .map(([, name]) => name!)
        .filter((name) => !given.has(name) && !known.has(`\`${name}\``))
    )
    expect([...new Set(set)]).toEqual([])
  })

  test('name each long test', () => {
    const names = readdirSync(join(root, 'bench/nightly')).map((file) => file.replace(/\.ts$/, ''))
    const operations = readSource('docs/operations.md')
    expect(names.filter((name) => !operations.includes(`| \`${name}\` |`))).toEqual([])
  })

  test('link to files that exist, and to headings that they have', () => {
    const slug = (heading: string) =>
      heading
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .replaceAll(' ', '-')
    const hasHeading = (path: string, id: string) => [...readSource(path).matchAll(/^#+ (.*)$/gm)].some(([, words]) => slug(words!) === id)
    const broken = files
      .filter((path) => path.endsWith('.md'))
      .flatMap((path) =>
        [...readSource(path).matchAll(/\]\((?!https?:|mailto:)([^)\s#]*)(?:#([^)\s]+))?\)/g)]
          .filter(([, to, id]) => {
            const target = to ? join(dirname(path), decodeURI(to)) : path
            return !existsSync(join(root, target)) || (id !== undefined && target.endsWith('.md') && !hasHeading(target, id))
          })
          .map(([, to, id]) => `${path} links to ${to}${id ? `#${id}` : ''}`)
      )
    expect(broken).toEqual([])
  })
})

import { describe, expect, test } from 'vitest'
import { idPrefixes } from '@masthead/contract/kernel/id'
import { areaOf } from '@masthead/contract/kernel/operation'
import { permissions, staffPermissions } from '@masthead/contract/kernel/permission'
import { routes } from '../apps/server/src/routes.ts'
import { readSource, sourceFiles } from './sources.ts'

// What files of the server do in one place alone, and what its kernel knows nothing of.
const files = sourceFiles()
const isProduct = (path: string) => !/\.test\.ts$|\/test-[\w-]+\.ts$/.test(path)

describe('the server', () => {
  const sources = files.filter((path) => /^apps\/server\/src\/.*\.ts$/.test(path) && isProduct(path))
  const owner = 'apps/server/src/assets/service/'
  const others = sources.filter((path) => !path.startsWith(owner))

  test(`writes the blocks and the state of SIMs in ${owner} alone, which has their sessions cut`, () => {
    const written = /updateTable\('sim'\)|\bupdate sim\b(?=[^`;]*\bset\b[^`;]*?\b(blocks|state)\s*=)/
    expect(others.filter((path) => written.test(readSource(path)))).toEqual([])
    expect(sources.some((path) => path.startsWith(owner) && written.test(readSource(path)))).toBe(true)
  })

  test('says in one file where the next page of a list begins', () => {
    // Assets have a plan for each filter, and each knows for itself whether there are more.
    const makers = ['apps/server/src/assets/list/list-assets.ts', 'apps/server/src/kernel/http/page-by-key.ts']
    const makes = sources.filter((path) => /\bencodeCursor\(/.test(readSource(path)))
    const wayOut = 'declare the list for `pageByKey`, or give rows that another query brings to `cutPage` (kernel/http/page-by-key.ts)'
    expect(makes.filter((path) => !makers.includes(path)).map((path) => `${path} calls encodeCursor: ${wayOut}`)).toEqual([])
    expect(makes).toEqual(makers)
  })

  test('remembers nothing in a module, which every App of the process would share', () => {
    const kept = /^(?:export )?(?:let |const \w+(?:: [^=]+)? = new (?:Map|Set)(?:<.*>)?\(\)$)/m
    // The list of leaked passwords, read when somebody first asks, is the same for all.
    const same = 'apps/server/src/factors/leaked-passwords.ts'
    expect(sources.filter((path) => kept.test(readSource(path)))).toEqual([same])
  })

  test('takes a permission that it asks for, gives or demands of readers from the contract, where one place has it', () => {
    const names = [...Object.keys(permissions).filter((name) => name.includes('.')), ...Object.keys(staffPermissions)]
    // The name of the area `backoffice` is a word of its own, unless somebody is asked for it. SQL names what staff hold in its own text.
    const quoted = `'(?:${names
      .filter((name) => name !== 'backoffice')
      .join('|')
      .replaceAll('.', '\\.')})'(?! = any)`
    const named = new RegExp(String.raw`${quoted}|(?:\bincludes\(|[!=]== |\? |\[)'backoffice'(?!,)`)
    const wayOut =
      'take the `access` of the operation that lets people do it, `isStaff`, `protocolAccess` of the registry, or `readingPermissions` of an area'
    const wrong = [
      "if (!actorMay(actor, 'assets.view')) return",
      "const mayEdit = rights === 'all' || rights.includes('profile.edit')",
      "const hearingScope: Permission = 'overview.view'",
      "const scopes = { pull: 'registry.view' }",
      "permissions: ['registry.view', ...more],",
      "if (name === 'manage_staff') return",
      "const scope = can_push ? 'registry.edit' : null",
      "if (actor.staff.includes('audit_logs')) return",
      "if (!permissions.includes('backoffice')) return",
      "if ('backoffice' !== name && name === 'backoffice') return",
      "permission: 'assets.view',",
    ]
    const right = [
      "kind: 'core.deployed'",
      "category: 'backoffice'",
      "['backoffice', suspended]",
      "where 'manage_staff' = any (permissions)",
    ]
    expect(wrong.filter((line) => !named.test(line))).toEqual([])
    expect(right.filter((line) => named.test(line))).toEqual([])
    // What the people of the demo were granted is a choice of theirs.
    const asking = sources.filter((path) => !path.startsWith('apps/server/src/demo/'))
    expect(asking.filter((path) => named.test(readSource(path))).map((path) => `${path} names a permission: ${wayOut}`)).toEqual([])
  })

  test(`has sessions cut in ${owner} alone`, () => {
    const asked = /add_?jobs?\([^)]*'cut_session'/i
    expect(others.filter((path) => asked.test(readSource(path)))).toEqual([])
    expect(sources.some((path) => path.startsWith(owner) && asked.test(readSource(path)))).toBe(true)
  })
})

describe('the kernel', () => {
  // Lists of what all areas have: permissions and their words, the areas themselves, the beginnings of ids, the columns of tables.
  const lists = /\/(permission|live|id|database)\.ts$/
  const sources = files.filter((path) => /^(apps\/server|packages\/contract)\/src\/kernel\/.*\.ts$/.test(path) && isProduct(path))
  const found = (pattern: RegExp) =>
    sources.flatMap((path) => [...readSource(path).matchAll(pattern)].map((match) => `${path}: ${match[1] ?? match[2]}`))

  test('names no area, and no id of one', () => {
    const areas = Object.keys({ ...Object.groupBy(routes, ({ op }) => areaOf(op)) })
    const named = new RegExp(
      `'((?:${areas.join('|')})\\.)|(?:\\b|\\\\b)((?:${Object.values(idPrefixes).join('|')})_)(?=[[\\\\(]|\\$\\{)`,
      'g'
    )
    expect(found(named).filter((words) => !lists.test(words.split(':')[0]!))).toEqual([])
  })

  test('asks no table of an area', () => {
    // Events, jobs, mail, keys and repeated calls are the kernel's own; who asks is a session or an API key, of an account.
    const own = new Set(['event', 'job_runner', 'job_failure', 'mail', 'signing_key', 'idempotency_key', 'session', 'api_key', 'account'])
    const made = files.filter((path) => path.endsWith('.sql')).flatMap((path) => [...readSource(path).matchAll(/^create table (\w+) \(/gm)])
    const areas = made.flatMap(([, name]) => (own.has(name!) ? [] : [name])).join('|')
    expect(found(new RegExp(`\\b(?:from|join|into|update) (${areas})\\b|(?:From|Into|Table|Join)\\('(${areas})\\b`, 'g'))).toEqual([])
  })
})

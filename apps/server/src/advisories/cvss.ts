const impact: Record<string, number> = { H: 0.56, L: 0.22, N: 0 }
const vector: Record<string, number> = { N: 0.85, A: 0.62, L: 0.55, P: 0.2 }
const complexity: Record<string, number> = { L: 0.77, H: 0.44 }
const privileges: Record<string, number> = { N: 0.85, L: 0.62, H: 0.27 }
const privilegesBeyond: Record<string, number> = { N: 0.85, L: 0.68, H: 0.5 }
const interaction: Record<string, number> = { N: 0.85, R: 0.62 }

/** The base score of a vector of CVSS 3. Null: it is none. */
export function baseScore(given: string): number | null {
  if (!/^CVSS:3\.[01]\//.test(given)) return null
  const parts = Object.fromEntries(
    given
      .split('/')
      .slice(1)
      .map((part) => part.split(':') as [string, string])
  )
  const beyond = parts.S === 'C'
  const [c, i, a] = [impact[parts.C ?? ''], impact[parts.I ?? ''], impact[parts.A ?? '']]
  const [av, ac, ui] = [vector[parts.AV ?? ''], complexity[parts.AC ?? ''], interaction[parts.UI ?? '']]
  const pr = (beyond ? privilegesBeyond : privileges)[parts.PR ?? '']
  if ([c, i, a, av, ac, ui, pr].includes(undefined)) return null
  const base = 1 - (1 - c!) * (1 - i!) * (1 - a!)
  const effect = beyond ? 7.52 * (base - 0.029) - 3.25 * (base - 0.02) ** 15 : 6.42 * base
  if (effect <= 0) return 0
  return roundUp(Math.min((beyond ? 1.08 : 1) * (effect + 8.22 * av! * ac! * pr! * ui!), 10))
}

/** As CVSS 3.1, appendix A, to one decimal place. */
function roundUp(score: number): number {
  const whole = Math.round(score * 100_000)
  return whole % 10_000 === 0 ? whole / 100_000 : (Math.floor(whole / 10_000) + 1) / 10
}

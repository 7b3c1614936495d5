/** Of the agent. npm run agent:version writes this file. */
export const version = '0.330.81257'
/** SHA-256 of what is built of the agent, without the version in it. */
export const builtSum = '558efaf6808464ecba63795200cf41ff3ca480d6b799220e4549bd5cc9e9a8b8'

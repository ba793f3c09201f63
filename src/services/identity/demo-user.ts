/** The user of the demonstration organization, without a password. */
export const demoEmail = 'demo@parlance.example';

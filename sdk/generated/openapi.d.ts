export interface paths {
    "/auth/register": {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        get?: never;
        put?: never;
        post: operations["register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/register/resend": {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        get?: never;
        put?: never;
        post: operations["resendRegistrationCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/register/verify": {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        get?: never;
        put?: never;
        post: operations["verifyRegistration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/login": {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        get?: never;
        put?: never;
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/login/resend": {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        get?: never;
        put?: never;
        post: operations["resendLoginCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/login/verify": {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        get?: never;
        put?: never;
        post: operations["verifyLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/logout": {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        get?: never;
        put?: never;
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/magic-link": {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        get?: never;
        put?: never;
        post: operations["sendMagicLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/magic-link/consume": {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        get?: never;
        put?: never;
        post: operations["consumeMagicLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/refresh": {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        get?: never;
        put?: never;
        post: operations["refreshSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/forgot": {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        get?: never;
        put?: never;
        post: operations["forgotPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/reset": {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        get?: never;
        put?: never;
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions": {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete: operations["revokeAllSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions/{session_id}": {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["revokeSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/username-available": {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        get: operations["checkUsername"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me": {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete: operations["deleteMe"];
        options?: never;
        head?: never;
        patch: operations["updateMe"];
        trace?: never;
    };
    "/me/avatar": {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        get?: never;
        put?: never;
        post: operations["uploadAvatar"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/mobile": {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        get: operations["getMobile"];
        put: operations["setMobile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/mobile/codes": {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        get?: never;
        put?: never;
        post: operations["sendMobileCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/mobile/verify": {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        get?: never;
        put?: never;
        post: operations["verifyMobile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/password": {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        get?: never;
        put: operations["changePassword"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/im-identities": {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        get: operations["listImIdentities"];
        put?: never;
        post: operations["addImIdentity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/im-identities/{im_id}": {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["removeImIdentity"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/invites": {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        get: operations["listMyInvites"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/xtags": {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        get: operations["listTags"];
        put?: never;
        post: operations["createTag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/xtags/{xtag_id}": {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        get: operations["getTag"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/xtags/search": {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        get: operations["searchTags"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calls": {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        get?: never;
        put?: never;
        post: operations["startCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calls/active": {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        get: operations["getActiveCall"];
        put?: never;
        post?: never;
        delete: operations["endCall"];
        options?: never;
        head?: never;
        patch: operations["setCallPrivacy"];
        trace?: never;
    };
    "/calls/{join_code}": {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        get: operations["getCall"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calls/{join_code}/decline": {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        get?: never;
        put?: never;
        post: operations["declineCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calls/{join_code}/leave": {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        get?: never;
        put?: never;
        post: operations["leaveCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calls/{join_code}/sfu-grant": {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        get?: never;
        put?: never;
        post: operations["createSfuGrant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calls/{join_code}/chat": {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        get: operations["listCallChat"];
        put?: never;
        post: operations["postCallChat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calls/{join_code}/chat/typing": {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        get?: never;
        put?: never;
        post: operations["setCallTyping"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realtime/grant": {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        get?: never;
        put?: never;
        post: operations["createRealtimeGrant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Session: { id: string; device: string | null; ip: string | null; created_at: string; last_used_at: string; expires_at: string; current: boolean };
        Policy: "everyone" | "contacts" | "mutual" | "none";
        Person: { id: string; username: string; display_name: string | null; avatar_url: string | null };
        Me: { id: string; username: string; display_name: string | null; bio: string | null; avatar_url: string | null; email: string | null; email_verified: boolean; mobile_number: string | null; mobile_verified: boolean; tier: "free" | "plus"; timezone: string; locale: string; created_at: string; reach: { message: components["schemas"]["Policy"]; call: components["schemas"]["Policy"]; add: components["schemas"]["Policy"]; find: components["schemas"]["Policy"] }; gate: { mobile_verified: boolean; required_for: string } };
        User: { id: string; username: string; display_name: string | null; bio: string | null; avatar_url: string | null; email: string | null; email_verified: boolean; mobile_number: string | null; mobile_verified: boolean; tier: "free" | "plus"; timezone: string; locale: string; created_at: string };
        SignedIn: { token: string; token_type: "bearer"; expires_at: string; refresh_token: string; refresh_expires_at: string; session_id: string; user: components["schemas"]["User"] };
        OtpRequired: { status: "otp_required"; login_id: string; channel: "email" | "sms"; sent_to: string; expires_at: string };
        CodeSent: { status: "code_sent"; registration_id: string; channel: "email" | "sms"; sent_to: string; expires_at: string };
        Mobile: { mobile_number: string | null; mobile_verified: boolean };
        ImIdentity: { id: string; network: string; handle: string; created_at: string };
        Invite: { id: string; channel: "sms" | "email"; to: string; message: string | null; state: "sent" | "accepted" | "revoked" | "expired"; created_at: string };
        Tag: { id: string; name: string; title: string | null; description: string | null; visibility: "public" | "unlisted" | "private"; follow_policy: "open" | "approval"; owner: components["schemas"]["Person"]; follower_count: number; following: boolean; is_mine: boolean; created_at: string };
        CallParticipant: { id: string; user?: components["schemas"]["Person"] | null; phone?: string | null; name: string; state: "ringing" | "joining" | "joined" | "left" | "declined" | "no_answer" | "busy" | "failed"; role: string; joined_at: string | null; left_at: string | null };
        Call: { conference_id: string; join_code: string; state: "ringing" | "live" | "ended"; privacy: "private" | "followers" | "public"; media: "audio" | "video"; host: components["schemas"]["Person"]; participants: components["schemas"]["CallParticipant"][]; group_id?: string | null; started_at: string; ended_at: string | null; end_reason: string | null };
        SfuGrant: { url: string; token: string; room: string; identity: string; expires_at: string; ice_servers: { urls: string[]; username?: string; credential?: string }[] };
        ChatMessage: { id: string; author: { user?: components["schemas"]["Person"] | null; guest?: { name: string } | null }; kind: "text" | "media" | "system"; body: string | null; created_at: string };
        RealtimeGrant: { url: string; token: string; expires_at: string; last_event_id: string | null };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    register: {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        requestBody: { content: { "application/json": { username: string; password: string; display_name?: string; email?: string; mobile_number?: string } } };
        responses: {
            201: { headers: { [name: string]: unknown }; content: { "application/json": components["schemas"]["CodeSent"] } };
        };
    };
    resendRegistrationCode: {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        requestBody: { content: { "application/json": { registration_id: string } } };
        responses: {
            202: { headers: { [name: string]: unknown }; content: { "application/json": components["schemas"]["CodeSent"] } };
        };
    };
    verifyRegistration: {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        requestBody: { content: { "application/json": { registration_id: string; code: string } } };
        responses: {
            201: { headers: { [name: string]: unknown }; content: { "application/json": components["schemas"]["SignedIn"] } };
        };
    };
    login: {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        requestBody: { content: { "application/json": { username: string; password: string } } };
        responses: {
            200: { headers: { [name: string]: unknown }; content: { "application/json": components["schemas"]["SignedIn"] | components["schemas"]["OtpRequired"] } };
        };
    };
    resendLoginCode: {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        requestBody: { content: { "application/json": { login_id: string } } };
        responses: {
            202: { headers: { [name: string]: unknown }; content: { "application/json": components["schemas"]["OtpRequired"] } };
        };
    };
    verifyLogin: {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        requestBody: { content: { "application/json": { login_id: string; code: string } } };
        responses: {
            200: { headers: { [name: string]: unknown }; content: { "application/json": components["schemas"]["SignedIn"] } };
        };
    };
    logout: {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        requestBody?: never;
        responses: {
            204: { headers: { [name: string]: unknown }; content?: never };
        };
    };
    sendMagicLink: {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        requestBody: { content: { "application/json": { email: string } } };
        responses: {
            202: { headers: { [name: string]: unknown }; content: { "application/json": { status: string } } };
        };
    };
    consumeMagicLink: {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        requestBody: { content: { "application/json": { token: string } } };
        responses: {
            200: { headers: { [name: string]: unknown }; content: { "application/json": components["schemas"]["SignedIn"] } };
        };
    };
    refreshSession: {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        requestBody: { content: { "application/json": { refresh_token: string } } };
        responses: {
            200: { headers: { [name: string]: unknown }; content: { "application/json": components["schemas"]["SignedIn"] } };
        };
    };
    forgotPassword: {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        requestBody: { content: { "application/json": { identifier: string } } };
        responses: {
            202: { headers: { [name: string]: unknown }; content: { "application/json": { status: string } } };
        };
    };
    resetPassword: {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        requestBody: { content: { "application/json": { token: string; password: string } } };
        responses: {
            204: { headers: { [name: string]: unknown }; content?: never };
        };
    };
    revokeAllSessions: {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        requestBody?: never;
        responses: {
            204: { headers: { [name: string]: unknown }; content?: never };
        };
    };
    listSessions: {
        parameters: { query?: { limit?: number; offset?: number; before_id?: string }; header?: never; path?: never; cookie?: never };
        requestBody?: never;
        responses: {
            200: { headers: { [name: string]: unknown }; content: { "application/json": { items: components["schemas"]["Session"][]; has_more: boolean } } };
        };
    };
    revokeSession: {
        parameters: { query?: never; header?: never; path: { session_id: string }; cookie?: never };
        requestBody?: never;
        responses: {
            204: { headers: { [name: string]: unknown }; content?: never };
        };
    };
    checkUsername: {
        parameters: { query: { username: string }; header?: never; path?: never; cookie?: never };
        requestBody?: never;
        responses: {
            200: { headers: { [name: string]: unknown }; content: { "application/json": { available: boolean; reason?: string } } };
        };
    };
    getMe: {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        requestBody?: never;
        responses: {
            200: { headers: { [name: string]: unknown }; content: { "application/json": components["schemas"]["Me"] } };
        };
    };
    updateMe: {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        requestBody: { content: { "application/json": { display_name?: string | null; bio?: string | null; timezone?: string; locale?: string; reach?: { message?: components["schemas"]["Policy"]; call?: components["schemas"]["Policy"]; add?: components["schemas"]["Policy"]; find?: components["schemas"]["Policy"] } } } };
        responses: {
            200: { headers: { [name: string]: unknown }; content: { "application/json": components["schemas"]["Me"] } };
        };
    };
    deleteMe: {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        requestBody: { content: { "application/json": { password: string } } };
        responses: {
            204: { headers: { [name: string]: unknown }; content?: never };
        };
    };
    uploadAvatar: {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        requestBody: { content: { "multipart/form-data": { file: string } } };
        responses: {
            200: { headers: { [name: string]: unknown }; content: { "application/json": components["schemas"]["Me"] } };
        };
    };
    getMobile: {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        requestBody?: never;
        responses: {
            200: { headers: { [name: string]: unknown }; content: { "application/json": components["schemas"]["Mobile"] } };
        };
    };
    setMobile: {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        requestBody: { content: { "application/json": { mobile_number: string } } };
        responses: {
            200: { headers: { [name: string]: unknown }; content: { "application/json": components["schemas"]["Mobile"] } };
        };
    };
    sendMobileCode: {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        requestBody?: never;
        responses: {
            202: { headers: { [name: string]: unknown }; content: { "application/json": { status: string; sent_to: string; expires_at: string } } };
        };
    };
    verifyMobile: {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        requestBody: { content: { "application/json": { code: string } } };
        responses: {
            200: { headers: { [name: string]: unknown }; content: { "application/json": components["schemas"]["Mobile"] } };
        };
    };
    changePassword: {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        requestBody: { content: { "application/json": { current_password: string; new_password: string } } };
        responses: {
            200: { headers: { [name: string]: unknown }; content: { "application/json": components["schemas"]["SignedIn"] } };
        };
    };
    listImIdentities: {
        parameters: { query?: { limit?: number; offset?: number; before_id?: string }; header?: never; path?: never; cookie?: never };
        requestBody?: never;
        responses: {
            200: { headers: { [name: string]: unknown }; content: { "application/json": { items: components["schemas"]["ImIdentity"][]; has_more: boolean } } };
        };
    };
    addImIdentity: {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        requestBody: { content: { "application/json": { network: string; handle: string } } };
        responses: {
            201: { headers: { [name: string]: unknown }; content: { "application/json": components["schemas"]["ImIdentity"] } };
        };
    };
    removeImIdentity: {
        parameters: { query?: never; header?: never; path: { im_id: string }; cookie?: never };
        requestBody?: never;
        responses: {
            204: { headers: { [name: string]: unknown }; content?: never };
        };
    };
    listMyInvites: {
        parameters: { query?: { limit?: number; offset?: number; before_id?: string }; header?: never; path?: never; cookie?: never };
        requestBody?: never;
        responses: {
            200: { headers: { [name: string]: unknown }; content: { "application/json": { items: components["schemas"]["Invite"][]; has_more: boolean } } };
        };
    };
    listTags: {
        parameters: { query?: { limit?: number; offset?: number; before_id?: string }; header?: never; path?: never; cookie?: never };
        requestBody?: never;
        responses: {
            200: { headers: { [name: string]: unknown }; content: { "application/json": { items: components["schemas"]["Tag"][]; has_more: boolean } } };
        };
    };
    createTag: {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        requestBody: { content: { "application/json": { name: string; title?: string; description?: string; visibility?: "public" | "unlisted" | "private"; follow_policy?: "open" | "approval" } } };
        responses: {
            201: { headers: { [name: string]: unknown }; content: { "application/json": components["schemas"]["Tag"] } };
        };
    };
    getTag: {
        parameters: { query?: never; header?: never; path: { xtag_id: string }; cookie?: never };
        requestBody?: never;
        responses: {
            200: { headers: { [name: string]: unknown }; content: { "application/json": components["schemas"]["Tag"] } };
        };
    };
    searchTags: {
        parameters: { query: { q: string; limit?: number; offset?: number }; header?: never; path?: never; cookie?: never };
        requestBody?: never;
        responses: {
            200: { headers: { [name: string]: unknown }; content: { "application/json": { items: components["schemas"]["Tag"][]; has_more: boolean } } };
        };
    };
    startCall: {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        requestBody: { content: { "application/json": { to: { user_id?: string; tag?: string; contact_id?: string; group_id?: string; phone?: string }[]; privacy?: "private" | "followers" | "public"; media?: "audio" | "video" } } };
        responses: {
            201: { headers: { [name: string]: unknown }; content: { "application/json": components["schemas"]["Call"] } };
        };
    };
    getActiveCall: {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        requestBody?: never;
        responses: {
            200: { headers: { [name: string]: unknown }; content: { "application/json": components["schemas"]["Call"] } };
        };
    };
    endCall: {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        requestBody?: never;
        responses: {
            204: { headers: { [name: string]: unknown }; content?: never };
        };
    };
    setCallPrivacy: {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        requestBody: { content: { "application/json": { privacy: "private" | "followers" | "public" } } };
        responses: {
            200: { headers: { [name: string]: unknown }; content: { "application/json": components["schemas"]["Call"] } };
        };
    };
    getCall: {
        parameters: { query?: never; header?: never; path: { join_code: string }; cookie?: never };
        requestBody?: never;
        responses: {
            200: { headers: { [name: string]: unknown }; content: { "application/json": components["schemas"]["Call"] } };
        };
    };
    declineCall: {
        parameters: { query?: never; header?: never; path: { join_code: string }; cookie?: never };
        requestBody?: never;
        responses: {
            204: { headers: { [name: string]: unknown }; content?: never };
        };
    };
    leaveCall: {
        parameters: { query?: never; header?: never; path: { join_code: string }; cookie?: never };
        requestBody?: never;
        responses: {
            204: { headers: { [name: string]: unknown }; content?: never };
        };
    };
    createSfuGrant: {
        parameters: { query?: never; header?: never; path: { join_code: string }; cookie?: never };
        requestBody?: never;
        responses: {
            200: { headers: { [name: string]: unknown }; content: { "application/json": components["schemas"]["SfuGrant"] } };
        };
    };
    listCallChat: {
        parameters: { query?: { limit?: number; offset?: number; before_id?: string }; header?: never; path: { join_code: string }; cookie?: never };
        requestBody?: never;
        responses: {
            200: { headers: { [name: string]: unknown }; content: { "application/json": { items: components["schemas"]["ChatMessage"][]; has_more: boolean } } };
        };
    };
    postCallChat: {
        parameters: { query?: never; header?: never; path: { join_code: string }; cookie?: never };
        requestBody: { content: { "application/json": { body: string } } };
        responses: {
            201: { headers: { [name: string]: unknown }; content: { "application/json": components["schemas"]["ChatMessage"] } };
        };
    };
    setCallTyping: {
        parameters: { query?: never; header?: never; path: { join_code: string }; cookie?: never };
        requestBody?: never;
        responses: {
            204: { headers: { [name: string]: unknown }; content?: never };
        };
    };
    createRealtimeGrant: {
        parameters: { query?: never; header?: never; path?: never; cookie?: never };
        requestBody?: never;
        responses: {
            200: { headers: { [name: string]: unknown }; content: { "application/json": components["schemas"]["RealtimeGrant"] } };
        };
    };
}

#include "language/chinese_script.h"

#include "text/utf8.h"

#include <stdlib.h>

// In the order of their code points.
static const uint16_t simplified[] =
    u"业东丝两为举义乐习书买亚产亲们伞伤伦兰关兴养军农击刘则刚创剧办务动劳华协单卫厅历发变吗员"
    u"团园围图场块处备头妇妈实对导尔层岁币师带帮应开张弹总戏战扫护报换摄摆时显术杂权标栏树样桥"
    u"欢汤浇济满滩热爱环现电盘码笔篮类红约级纪纸线练组织经结给络绝统维绿罗联脑艺节药营蓝衬裤见"
    u"观规视览觉计订认讨让议记讲许论设证识诉试话诞该语说请读课谁调谈谢财责质贵贸费资赛车转轮软"
    u"轻辆输边达过运还这进远连选邮邻钟钢钥钱铁银错镜长门问间闻队阳际陈险难页顶项须顿领题风飞饭"
    u"饰饼馆马驶驾骑鱼鲜鸟鸡龙龟";
static const uint16_t traditional[] =
    u"亞們倫傘備傷兩則剛創劇劉動務勞協員問單嗎圍園圖團報場塊婦媽實對導層師帶幣幫廳張彈愛應戰戲"
    u"掃換擊擺攝時曆書東業樂標樣樹橋欄權歡歲歷湯滿澆濟灘為熱營爾現環產發盤碼筆節籃紀約紅紙級組"
    u"結絕絡給統絲經綠維線練總織羅義習聞聯腦興舉華藍藝藥蘭處術衛褲襯見規視親覺覽觀訂計討記設許"
    u"訴証試話該認誕語說誰課調談請論講謝證識議護讀變讓財責貴買費貿資質賽車軍軟輕輛輪輸轉辦農這"
    u"連進運過達遠選還邊郵鄰銀鋼錢錯鏡鐘鐵鑰長門開間關陳陽隊際險雜雞難電頁頂項須頓領頭題類顯風"
    u"飛飯飾餅養館馬駕駛騎髮魚鮮鳥龍龜";

enum { FIRST_KANA = 0x3040, LAST_KANA = 0x30FF, FIRST_HAN = 0x4E00, LAST_HAN = 0x9FFF };

static int compare(const void *a, const void *b)
{
    return *(const uint16_t *)a - *(const uint16_t *)b;
}

static bool is_in(uint32_t c, const uint16_t *characters, size_t size)
{
    uint16_t wanted = (uint16_t)c;
    return bsearch(&wanted, characters, size / sizeof *characters - 1, sizeof wanted, compare);
}

// Whether a byte can begin one of the characters above, of U+3000 to U+9FFF.
static bool begins(char byte)
{
    return (unsigned char)byte >= 0xE3 && (unsigned char)byte <= 0xE9;
}

ChineseScript chinese_script_of(const char *text, size_t length)
{
    bool is_simplified = false, is_traditional = false;
    for (size_t at = 0; at < length;) {
        if (!begins(text[at])) {
            at++;
            continue;
        }
        uint32_t c = utf8_next(text, length, &at);
        if (c >= FIRST_KANA && c <= LAST_KANA && utf8_is_letter(c)) return CHINESE_UNKNOWN;
        if (c < FIRST_HAN || c > LAST_HAN) continue;
        is_simplified = is_simplified || is_in(c, simplified, sizeof simplified);
        is_traditional = is_traditional || is_in(c, traditional, sizeof traditional);
    }
    if (is_simplified == is_traditional) return CHINESE_UNKNOWN;
    return is_simplified ? CHINESE_SIMPLIFIED : CHINESE_TRADITIONAL;
}

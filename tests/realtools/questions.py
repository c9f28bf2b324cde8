"""The questions of the stored runs: school sums, Chinese multiple choice, and a small cloze task.

Everything here was written for this repository. `write_all(folder)` lays the files out as the tools want them:
  gsm8k/{train,test}.jsonl        what AISBench's GSM8KDataset and the lm-eval tasks read
  ceval/{dev,val,test}/*.csv      what AISBench's CEvalDataset reads
  cloze.jsonl                     question, choices, gold: the loglikelihood task
"""
import csv
import json
import os

# One row: the story with its holes, three fillings, the steps with the same holes. `r` is the result, a and b what the
# story gives, m a value on the way. Each filling is (a, b, c, who).
STORIES = [
    ("{w} buys {a} notebooks at {b} coins each and pays with {c} coins. How many coins come back?",
     [(4, 6, 50, "Omar"), (7, 9, 100, "Lena"), (3, 14, 60, "Ines")],
     lambda a, b, c: (a * b, c - a * b),
     ["The notebooks cost {a} * {b} = {m} coins.", "{w} paid {c} coins, so {c} - {m} = {r} coins come back."]),
    ("A jar holds {a} red and {b} blue marbles. {w} adds {c} blue ones. How many marbles are in the jar now?",
     [(14, 9, 5, "Lena"), (23, 17, 8, "Ravi"), (31, 12, 19, "Noor")],
     lambda a, b, c: (a + b, a + b + c),
     ["At first there are {a} + {b} = {m} marbles.", "After {w} adds {c}, the jar holds {m} + {c} = {r}."]),
    ("A tram makes {a} stops and waits {b} minutes at each. The ride itself takes {c} minutes. How long is {w} on the way?",
     [(12, 3, 41, "Mira"), (8, 2, 27, "Jonas"), (15, 4, 33, "Talia")],
     lambda a, b, c: (a * b, a * b + c),
     ["The stops take {a} * {b} = {m} minutes.", "With the ride of {c} minutes that is {m} + {c} = {r} minutes."]),
    ("{w} bakes {a} trays of {b} buns. {c} buns are sold in the morning. How many buns are left?",
     [(9, 8, 17, "Pavel"), (6, 12, 35, "Salma"), (11, 7, 48, "Dina")],
     lambda a, b, c: (a * b, a * b - c),
     ["The trays give {a} * {b} = {m} buns.", "After the morning {m} - {c} = {r} buns are left."]),
    ("A cinema has {a} rows of {b} seats. {c} seats stay empty tonight. How many people does {w} count?",
     [(18, 20, 47, "Igor"), (14, 16, 29, "Maya"), (25, 12, 83, "Bela")],
     lambda a, b, c: (a * b, a * b - c),
     ["There are {a} * {b} = {m} seats.", "{c} are empty, so {w} counts {m} - {c} = {r} people."]),
    ("{w} reads {a} pages a day for {b} days and then {c} pages on Sunday. How many pages is that?",
     [(24, 6, 40, "Anya"), (35, 5, 18, "Kofi"), (17, 9, 62, "Emil")],
     lambda a, b, c: (a * b, a * b + c),
     ["In {b} days {w} reads {a} * {b} = {m} pages.", "Sunday adds {c}: {m} + {c} = {r} pages."]),
    ("A farmer fills {a} crates with {b} apples each and gives {c} apples to {w}. How many apples remain?",
     [(16, 25, 30, "Hugo"), (13, 18, 44, "Wen"), (22, 15, 75, "Sara")],
     lambda a, b, c: (a * b, a * b - c),
     ["The crates hold {a} * {b} = {m} apples.", "Without the {c} for {w} there remain {m} - {c} = {r}."]),
    ("{w} has {a} stamps, gets {b} more from a friend and sells {c}. How many stamps does {w} have?",
     [(120, 45, 38, "Yusuf"), (87, 64, 29, "Clara"), (203, 51, 96, "Tomas")],
     lambda a, b, c: (a + b, a + b - c),
     ["With the new ones {w} has {a} + {b} = {m} stamps.", "Selling {c} leaves {m} - {c} = {r}."]),
    ("A pump moves {a} litres a minute. It runs {b} minutes, and {c} litres leak out. How much water reaches {w}'s tank?",
     [(15, 24, 37, "Nadia"), (32, 11, 58, "Peter"), (26, 13, 41, "Linh")],
     lambda a, b, c: (a * b, a * b - c),
     ["The pump moves {a} * {b} = {m} litres.", "{c} are lost, so {m} - {c} = {r} litres arrive."]),
    ("{w} walks {a} steps to school and the same way back, then {c} steps to the park, on each of {b} days. How many steps in all?",
     [(850, 3, 400, "Oskar"), (1200, 2, 350, "Jana"), (640, 5, 210, "Mehmet")],
     lambda a, b, c: (2 * a + c, b * (2 * a + c)),
     ["A day has 2 * {a} + {c} = {m} steps.", "{b} days make {b} * {m} = {r} steps."]),
    ("A choir of {a} singers buys scarves at {b} coins each. The school pays {c} coins of it. What must {w} still collect?",
     [(28, 7, 60, "Rosa"), (34, 5, 85, "Felix"), (19, 12, 108, "Amara")],
     lambda a, b, c: (a * b, a * b - c),
     ["The scarves cost {a} * {b} = {m} coins.", "The school pays {c}, so {m} - {c} = {r} coins are missing."]),
    ("{w} plants {a} rows of {b} tulips and {c} single roses. How many flowers is that?",
     [(13, 11, 26, "Elif"), (21, 9, 54, "Simon"), (17, 14, 32, "Greta")],
     lambda a, b, c: (a * b, a * b + c),
     ["The tulips are {a} * {b} = {m}.", "With the roses there are {m} + {c} = {r} flowers."]),
    ("A bus leaves with {a} people. At the first stop {b} get off and {c} get on. How many does {w} the driver carry then?",
     [(46, 19, 12, "Marek"), (58, 31, 24, "Aisha"), (37, 15, 29, "Bruno")],
     lambda a, b, c: (a - b, a - b + c),
     ["After {b} get off, {a} - {b} = {m} people remain.", "{c} get on: {m} + {c} = {r}."]),
    ("{w} saves {a} coins a week for {b} weeks and spends {c} coins on a gift. How many coins are left?",
     [(12, 15, 64, "Iris"), (18, 9, 77, "Leo"), (25, 14, 130, "Zofia")],
     lambda a, b, c: (a * b, a * b - c),
     ["The savings are {a} * {b} = {m} coins.", "After the gift {m} - {c} = {r} coins are left."]),
    ("A library lends {a} books on Monday, {b} on Tuesday and takes back {c}. How many of them are still out, asks {w}?",
     [(73, 58, 49, "Olga"), (96, 41, 68, "Daniel"), (112, 87, 93, "Fatima")],
     lambda a, b, c: (a + b, a + b - c),
     ["Over two days {a} + {b} = {m} books go out.", "{c} come back, so {m} - {c} = {r} are out."]),
    ("{w} ties {a} parcels with {b} cm of string each and has {c} cm over. How long was the string in cm?",
     [(8, 75, 40, "Viktor"), (12, 60, 95, "Nina"), (15, 48, 27, "Samir")],
     lambda a, b, c: (a * b, a * b + c),
     ["The parcels take {a} * {b} = {m} cm.", "With the rest it was {m} + {c} = {r} cm."]),
    ("A hall has {a} tables for {b} guests each. {c} more guests sit on benches. For how many does {w} cook?",
     [(16, 6, 22, "Carla"), (23, 8, 35, "Ahmet"), (19, 10, 47, "Lotte")],
     lambda a, b, c: (a * b, a * b + c),
     ["At the tables sit {a} * {b} = {m} guests.", "Adding the benches, {w} cooks for {m} + {c} = {r}."]),
    ("{w} fills {a} bottles of {b} ml from a can of {c} ml. How many ml stay in the can?",
     [(7, 330, 3000, "Boris"), (9, 250, 2500, "Mina"), (6, 475, 4000, "Theo")],
     lambda a, b, c: (a * b, c - a * b),
     ["The bottles take {a} * {b} = {m} ml.", "{c} - {m} = {r} ml stay in the can."]),
    ("A printer makes {a} sheets a minute. After {b} minutes {c} sheets are spoilt. How many good sheets has {w}?",
     [(22, 17, 31, "Paula"), (38, 12, 59, "Arjun"), (45, 9, 28, "Hanna")],
     lambda a, b, c: (a * b, a * b - c),
     ["It makes {a} * {b} = {m} sheets.", "Without the spoilt ones {m} - {c} = {r} are good."]),
    ("{w} cycles {a} km a day from Monday to Friday, then {b} km on Saturday and {c} km on Sunday. How many km is that?",
     [(14, 32, 25, "Erik"), (9, 41, 18, "Luisa"), (17, 28, 36, "Kenji")],
     lambda a, b, c: (5 * a, 5 * a + b + c),
     ["The five days make 5 * {a} = {m} km.", "With the weekend that is {m} + {b} + {c} = {r} km."]),
    ("A box of {a} pencils costs {b} coins. {w} needs {c} boxes for the class and has a coupon of 15 coins. What is paid?",
     [(12, 18, 6, "Adam"), (10, 23, 4, "Priya"), (24, 37, 3, "Luca")],
     lambda a, b, c: (b * c, b * c - 15),
     ["{c} boxes cost {c} * {b} = {m} coins.", "The coupon takes off 15: {m} - 15 = {r} coins."]),
    ("{w} counts {a} sheep, {b} goats and twice as many hens as goats, but {c} hens are away. How many animals is that?",
     [(34, 21, 6, "Gita"), (52, 16, 9, "Rolf"), (27, 33, 14, "Ewa")],
     lambda a, b, c: (2 * b - c, a + b + 2 * b - c),
     ["Hens at home: 2 * {b} - {c} = {m}.", "All together: {a} + {b} + {m} = {r} animals."]),
]

SUBJECTS = {
    "computer_network": ("计算机网络", [
        ("在TCP/IP体系结构中，负责可靠传输的协议是", ["UDP", "TCP", "IP", "ARP"], "B", "可靠传输由面向连接的协议完成，它有确认和重传机制。"),
        ("以太网的MAC地址长度是", ["16位", "32位", "48位", "64位"], "C", "MAC地址由六个字节组成，每个字节八位。"),
        ("把域名转换为IP地址的系统是", ["DNS", "FTP", "SMTP", "DHCP"], "A", "域名解析由分布式的名字服务器完成。"),
        ("IPv6地址的长度是", ["32位", "64位", "96位", "128位"], "D", "IPv6把地址从四个字节扩展到十六个字节。"),
        ("用于自动分配IP地址的协议是", ["ARP", "DHCP", "ICMP", "RIP"], "B", "主机启动后广播请求，由服务器分配地址。"),
        ("ping命令使用的协议是", ["TCP", "UDP", "ICMP", "IGMP"], "C", "回显请求和回显应答属于控制报文协议。"),
        ("HTTPS的默认端口是", ["443", "80", "21", "25"], "A", "加密的网页服务使用单独的知名端口。"),
        ("下列设备中工作在数据链路层的是", ["集线器", "中继器", "路由器", "交换机"], "D", "它根据物理地址表转发帧。")]),
    "high_school_physics": ("高中物理", [
        ("国际单位制中力的单位是", ["焦耳", "牛顿", "瓦特", "帕斯卡"], "B", "使一千克物体产生单位加速度的力定义为该单位。"),
        ("自由落体运动的加速度方向是", ["竖直向上", "水平", "竖直向下", "任意方向"], "C", "只受重力作用，加速度与重力同向。"),
        ("真空中光速约为", ["3×10⁸ m/s", "3×10⁶ m/s", "340 m/s", "3×10⁵ m/s"], "A", "这是电磁波在真空中的传播速度。"),
        ("下列物理量中属于矢量的是", ["质量", "时间", "温度", "速度"], "D", "矢量既有大小又有方向。"),
        ("串联电路中处处相等的量是", ["电压", "电流", "功率", "电阻"], "B", "电荷不会在电路中堆积，单位时间通过各截面的电荷相同。"),
        ("物体惯性的大小取决于", ["速度", "位置", "质量", "形状"], "C", "惯性是物体保持原有状态的性质，只与其质量有关。"),
        ("声音不能在其中传播的是", ["真空", "水", "空气", "钢铁"], "A", "声波的传播需要介质。"),
        ("电阻的单位是", ["伏特", "安培", "库仑", "欧姆"], "D", "由电压与电流之比定义。")]),
    "high_school_history": ("高中历史", [
        ("秦朝统一六国是在公元前", ["256年", "221年", "206年", "202年"], "B", "最后灭亡的是齐国，此后建立了统一的王朝。"),
        ("造纸术的重要改进者是", ["张衡", "毕昇", "蔡伦", "沈括"], "C", "东汉时他用树皮、破布等原料改进了工艺。"),
        ("《史记》的作者是", ["司马迁", "班固", "司马光", "陈寿"], "A", "这是中国第一部纪传体通史。"),
        ("新航路开辟中首次完成环球航行的船队由谁率领出发", ["哥伦布", "达伽马", "迪亚士", "麦哲伦"], "D", "船队于1519年出发，1522年返回西班牙。"),
        ("工业革命最早开始于", ["法国", "英国", "德国", "美国"], "B", "棉纺织业首先使用机器生产。"),
        ("活字印刷术的发明者是", ["蔡伦", "沈括", "毕昇", "郭守敬"], "C", "北宋时用胶泥刻字，烧硬后排版。"),
        ("丝绸之路的开拓者是", ["张骞", "班超", "玄奘", "郑和"], "A", "他在西汉时两次出使西域。"),
        ("法国大革命爆发于", ["1640年", "1776年", "1804年", "1789年"], "D", "巴黎人民攻占巴士底狱标志着革命开始。")]),
    "logic": ("逻辑学", [
        ("“所有的鸟都会飞”的矛盾命题是", ["所有的鸟都不会飞", "有的鸟不会飞", "有的鸟会飞", "没有鸟会飞"], "B", "全称肯定的矛盾命题是特称否定。"),
        ("由“如果下雨则地湿”和“下雨”可推出", ["没下雨", "地不湿", "地湿", "不能确定"], "C", "这是肯定前件式。"),
        ("三段论中在两个前提里都出现的项是", ["中项", "大项", "小项", "主项"], "A", "它把大项和小项联系起来。"),
        ("由“如果p则q”和“非q”可推出", ["p", "q", "非p且q", "非p"], "D", "这是否定后件式。"),
        ("“或者甲去，或者乙去”为假时", ["甲去乙不去", "甲乙都不去", "甲乙都去", "乙去甲不去"], "B", "相容选言命题仅在各支都假时为假。"),
        ("违反“同一律”的错误是", ["自相矛盾", "模棱两可", "偷换概念", "循环论证"], "C", "同一思维过程中概念必须保持同一。"),
        ("从个别到一般的推理称为", ["归纳推理", "演绎推理", "类比推理", "联言推理"], "A", "结论超出了前提断定的范围。"),
        ("概念的内涵越多，其外延", ["越大", "不变", "不定", "越小"], "D", "内涵与外延之间是反变关系。")]),
}

CLOZE = [
    ("Water boils at sea level at", ["90 °C", "100 °C", "110 °C", "120 °C"], 1),
    ("The number of sides of a hexagon is", ["five", "six", "seven", "eight"], 1),
    ("The planet closest to the sun is", ["Venus", "Mars", "Mercury", "Earth"], 2),
    ("A leap year has", ["364 days", "365 days", "366 days", "367 days"], 2),
    ("The capital of Japan is", ["Tokyo", "Kyoto", "Osaka", "Nagoya"], 0),
    ("Bees make", ["milk", "silk", "bread", "honey"], 3),
    ("Half of ninety is", ["45", "40", "50", "35"], 0),
    ("The largest ocean is the", ["Atlantic", "Indian", "Arctic", "Pacific"], 3),
    ("The opposite of north is", ["east", "south", "west", "up"], 1),
    ("Ice is frozen", ["oil", "air", "water", "sand"], 2),
    ("A triangle has angles that add up to", ["90 degrees", "180 degrees", "270 degrees", "360 degrees"], 1),
    ("The first month of the year is", ["January", "March", "June", "October"], 0),
]


def sums():
    """All school sums, the easy filling of each story first: question, steps, answer, a wrong answer."""
    found = []
    for fill in range(3):
        for text, fillings, work, steps in STORIES:
            a, b, c, who = fillings[fill]
            middle, result = work(a, b, c)
            holes = dict(a=a, b=b, c=c, w=who, m=middle, r=result)
            found.append({"question": text.format(**holes), "steps": [s.format(**holes) for s in steps],
                          "answer": result, "wrong": result + (10 if len(found) % 2 else -2)})
    return found


def exam(subject):
    """The questions of one Chinese subject: question, choices, letter, reason, a wrong letter."""
    return [{"question": q, "choices": c, "answer": letter, "steps": [why],
             "wrong": "ABCD"[("ABCD".index(letter) + 1) % 4]} for q, c, letter, why in SUBJECTS[subject][1]]


def worked(item):
    return "\n".join(item["steps"]) + "\n#### %d" % item["answer"]


def write_lines(path, rows):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as out:
        for row in rows:
            out.write(json.dumps(row, ensure_ascii=False) + "\n")


def write_all(folder, counts):
    """counts: name of a folder of sums → (first, how many) of sums(). The last four sums are the examples of `train`."""
    all_sums = sums()
    for name, (first, count) in counts.items():
        for split, part in (("train", all_sums[-4:]), ("test", all_sums[first:first + count])):
            write_lines(os.path.join(folder, name, split + ".jsonl"),
                        [{"question": i["question"], "answer": worked(i)} for i in part])
    for subject in SUBJECTS:
        rows = [[n, i["question"], *i["choices"], i["answer"], ""] for n, i in enumerate(exam(subject))]
        for split, part in (("dev", rows[:1]), ("val", rows), ("test", rows[:1])):
            path = os.path.join(folder, "ceval", split, "%s_%s.csv" % (subject, split))
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8", newline="") as out:
                csv.writer(out).writerows([["id", "question", "A", "B", "C", "D", "answer", "explanation"]] + part)
    write_lines(os.path.join(folder, "cloze.jsonl"),
                [{"query": q, "choices": c, "gold": g} for q, c, g in CLOZE])
